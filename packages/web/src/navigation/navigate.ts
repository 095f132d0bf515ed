import type { GateDecision } from '@shipworthy/domain/readiness';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { withIsolatedNames } from '../wording/isolate.js';
import { DECISION_TITLES } from '../wording/names.js';
import { BASE_PATH, HOME, isHome } from './places.js';

/** Goes to another screen without loading the page anew. */
export const navigate = (address: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
};

/** The query of the address, and a function to change parts of it; an empty value removes a part. */
export const useQuery = (): readonly [
  query: Readonly<Record<string, string>>,
  change: (members: Readonly<Record<string, string>>) => void,
] => {
  const { path, query } = useLocation();
  const change = (members: Readonly<Record<string, string>>) => {
    const kept = Object.entries({ ...query, ...members }).filter(([, value]) => value !== '');
    const text = new URLSearchParams(kept).toString();
    const address = isHome(path) ? HOME : path;
    navigate(text === '' ? address : `${address}?${text}`, { replace: true });
  };
  return [query, change];
};

/** What the link that skips the head of the page sets as the hash. */
const SKIP_HASH = '#content';

const tokenInHash = (): string => (location.hash === SKIP_HASH ? '' : location.hash.slice(1));

/** The token behind the `#` of the address; empty without one. Another link opened in the same tab changes it. */
export const useHashToken = (): string => {
  const [token, setToken] = useState(tokenInHash);
  useEffect(() => {
    const read = () => {
      if (location.hash !== SKIP_HASH) setToken(tokenInHash());
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return token;
};

const PRODUCT = 'Shipworthy';
let arrivals = 0;
/** Whether the person used the browser's back or forward, which restores the scroll position. */
let isReturning = false;

addEventListener('popstate', ({ isTrusted }) => {
  isReturning = isTrusted;
});
addEventListener('click', () => {
  isReturning = false;
});

const ICON = `${BASE_PATH}/icon.svg`;

/**
 * Sets the title of the page and moves the focus to its heading, once the title is known; not on the first screen.
 * @param decision the gate's decision, on a release's own screen: the tab shows it by a word and by its icon
 */
export const useArrival = (title: string | undefined, decision?: GateDecision) => {
  const heading = useRef<HTMLHeadingElement>(null);
  // The screen's own path: while the next screen's file loads, the address already names the next one.
  const path = useRoute().path ?? '';
  /** The path whose title was set last: a screen stays mounted when only the ids in its path change. */
  const arrivedPath = useRef<string | undefined>(undefined);
  // Runs in the same step as the heading, not a frame later: a slow machine would show a page without its name.
  useLayoutEffect(() => {
    if (title === undefined) return;
    const named = withIsolatedNames(title);
    document.title = [decision && DECISION_TITLES[decision], named, PRODUCT].filter(Boolean).join(' · ');
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = decision === undefined ? ICON : `${BASE_PATH}/icon-${decision}.svg`;
    if (arrivedPath.current === path) return;
    arrivedPath.current = path;
    if (arrivals > 0) heading.current?.focus({ preventScroll: isReturning });
    arrivals += 1;
  }, [title, decision, path]);
  return heading;
};

const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';
const ROW_SELECTOR = 'tr, li';
/** A part of the screen that has a heading of its own. */
const PART_SELECTOR = 'section, form, dialog';

/** An element around the focus, with the neighbours it had while the focus was there. */
interface Level {
  readonly element: Element;
  readonly next: Element | null;
  readonly previous: Element | null;
}

/** Where the focus was: what is needed to find the place again once the element is gone. */
export interface FocusPlace {
  readonly element: Element;
  /** From the element itself outwards. */
  readonly levels: readonly Level[];
  /** The position of the control in its row, from 0. */
  readonly order: number;
  readonly path: string;
}

const controlsIn = (element: Element): readonly HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((control) => control.checkVisibility());

/** Remembers the place of an element that has the focus. */
export const focusPlaceOf = (element: Element): FocusPlace => {
  const levels: Level[] = [];
  for (let each: Element | null = element; each !== null && !each.matches('main, body'); each = each.parentElement)
    levels.push({ element: each, next: each.nextElementSibling, previous: each.previousElementSibling });
  const row = element.closest(ROW_SELECTOR);
  const order = row === null ? 0 : controlsIn(row).findIndex((control) => control.isSameNode(element));
  return { element, levels, order: Math.max(0, order), path: location.pathname };
};

const headingOf = (part: Element): HTMLElement | null => {
  const heading = part.querySelector<HTMLElement>('h1, h2, h3');
  if (heading !== null) heading.tabIndex = -1;
  return heading;
};

/** What to focus when an element is gone: its row, the next row, the row before, or the heading of its part. */
const successorOf = ({ levels, order }: FocusPlace): HTMLElement | null => {
  for (const { element, next, previous } of levels) {
    const isRow = element.matches(ROW_SELECTOR);
    if (element.isConnected) {
      if (isRow && controlsIn(element)[0] !== undefined) return controlsIn(element)[0] ?? null;
      if (element.matches(PART_SELECTOR) && headingOf(element) !== null) return headingOf(element);
      continue;
    }
    if (!isRow) continue;
    for (const neighbour of [next, previous]) {
      const controls = neighbour?.isConnected ? controlsIn(neighbour) : [];
      if (controls.length > 0) return controls[Math.min(order, controls.length - 1)] ?? null;
    }
  }
  return headingOf(document.body);
};

/** Whether an element can still have the focus. */
const canHold = (element: Element): boolean => element.isConnected && !element.matches(':disabled');

/** Gives the focus back to an element, or to what is nearest to where it was. */
export const focusNear = (place: FocusPlace): void => {
  if (canHold(place.element) && place.element instanceof HTMLElement) place.element.focus();
  else successorOf(place)?.focus({ preventScroll: true });
};

/** Moves the focus to a near element when the focused one is removed or disabled; returns a function that stops it. */
export const keepFocus = (): (() => void) => {
  let place: FocusPlace | undefined;
  let looking: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent) => {
    place = target instanceof Element ? focusPlaceOf(target) : undefined;
  };
  const look = () => {
    looking = undefined;
    if (place === undefined || canHold(place.element) || place.path !== location.pathname) return;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === place.element)
      successorOf(place)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (place !== undefined && !canHold(place.element)) looking ??= setTimeout(look);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  addEventListener('focusin', note);
  return () => {
    clearTimeout(looking);
    observer.disconnect();
    removeEventListener('focusin', note);
  };
};
