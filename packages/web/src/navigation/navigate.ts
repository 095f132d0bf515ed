import type { GateDecision } from '@shipworthy/domain/readiness';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { withIsolatedNames } from '../wording/isolate.js';
import { DECISION_TITLES } from '../wording/names.js';
import { BASE_PATH } from './places.js';

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
    navigate(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  return [query, change];
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
 * Names the page and moves the focus to its heading, as soon as there is one; not on the first screen.
 * @param decision what the gate says on a release's own screen: the tab shows it by a word and by its icon
 */
export const useArrival = (title: string | undefined, decision?: GateDecision) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = useRef(false);
  // Runs in the same step as the heading, not a frame later: a slow machine would show a page without its name.
  useLayoutEffect(() => {
    if (title === undefined) return;
    const named = withIsolatedNames(title);
    document.title = [decision && DECISION_TITLES[decision], named, PRODUCT].filter(Boolean).join(' · ');
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = decision === undefined ? ICON : `${BASE_PATH}/icon-${decision}.svg`;
    if (arrived.current) return;
    arrived.current = true;
    if (arrivals > 0) heading.current?.focus({ preventScroll: isReturning });
    arrivals += 1;
  }, [title, decision]);
  return heading;
};
