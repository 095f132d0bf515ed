import type { SearchResult } from '@shipworthy/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { client } from '../api/client.js';
import { type CallFault, callFaultOf } from '../api/fault.js';
import { checkSession, endSession, isOffered, roleIncludes, useRole, visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { chooseScheme } from '../appearance/appearance.js';
import { navigate } from '../navigation/navigate.js';
import { BASE_PATH } from '../navigation/places.js';
import { Dialog } from '../parts/dialog.js';
import { useSettled } from '../parts/field.js';
import { Icon } from '../parts/icon.js';
import { FaultNotice } from '../parts/notice.js';
import { countOf } from '../wording/numbers.js';
import {
  entriesMatching,
  entryOf,
  groupsOn,
  type PaletteEntry,
  type PaletteGroup,
  stillFound,
  teamOf,
} from './palette-entries.js';
import './palette.css';

/** How many search results the server is asked for. */
const MOST_FOUND = 20;
/** How many screens and actions are shown beside the search results. */
const MOST_SCREENS = 5;
/** How long a text stays the same before the server is asked, in milliseconds. */
const PAUSE_MS = 150;
const MOST_CHARACTERS = 100;

interface Answered {
  readonly text: string;
  readonly found: readonly SearchResult[];
  readonly fault?: CallFault;
}

/** The search results for a text. Until the server answers, results of the former text that still match are shown. */
const useFound = (text: string) => {
  const [answered, setAnswered] = useState<Answered>({ text: '', found: [] });
  const [tries, setTries] = useState(0);
  const settled = useSettled(text, PAUSE_MS);
  useEffect(() => {
    if (settled === '') return;
    const asking = new AbortController();
    const put = (answer: Answered) => {
      if (!asking.signal.aborted) setAnswered(answer);
    };
    const query = { q: settled, limit: MOST_FOUND };
    client.search({ query, signal: asking.signal }).then(
      ({ body }) => put({ text: settled, found: body.data }),
      (error: unknown) => {
        const fault = callFaultOf(error);
        if (!asking.signal.aborted && fault.signedOut) void checkSession();
        put({ text: settled, found: [], fault });
      },
    );
    return () => asking.abort();
  }, [settled, tries]);
  const isAwaited = text !== '' && answered.text !== text;
  return {
    found: text === '' ? [] : isAwaited ? stillFound(answered.found, text) : answered.found,
    fault: text === '' || isAwaited ? undefined : answered.fault,
    isAwaited,
    retry: () => {
      setAnswered({ text: '', found: [] });
      setTries(tries + 1);
    },
  };
};

/** Tells the entries apart. A search result may lead to the same address as a screen of the place. */
const keyOf = ({ about, goal }: PaletteEntry): string => `${about} ${'address' in goal ? goal.address : goal.action}`;

interface PaletteProps {
  /** What was typed before the palette's file was loaded. */
  readonly typed: string;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** A text field with a list of what it finds: places to go to, and actions that need no screen. Arrows choose, Enter takes. */
export const Palette = ({ typed, onClose, onShortcuts }: PaletteProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { path } = useLocation();
  const role = useRole(teamOf(path) ?? '');
  const who = visitor.value;
  const [entered, setEntered] = useState(typed);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  /** Whether Enter was pressed before the server answered: the first line is opened once it does. */
  const [isEnterPending, setEnterPending] = useState(false);
  const leave = useAction(endSession);
  const text = entered.trim();
  const findsRecords = isOffered('search');
  const { found, fault, isAwaited, retry } = useFound(findsRecords ? text : '');
  const offered = groupsOn(path, {
    administrator: who.kind === 'signed_in' && who.user.administrator,
    member: roleIncludes(role, 'member'),
    owner: roleIncludes(role, 'owner'),
    offers: isOffered,
  });
  const groups: readonly PaletteGroup[] =
    text === ''
      ? offered
      : [
          { title: 'Screens and actions', entries: entriesMatching(offered, text, MOST_SCREENS) },
          { title: 'Projects, releases and issues', entries: found.map(entryOf) },
        ].filter(({ entries }) => entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const chosenPlace = Math.max(
    0,
    entries.findIndex((entry) => keyOf(entry) === chosen),
  );
  const optionId = (at: number): string => `${id}-option-${at}`;

  const perform = async (entry: PaletteEntry | undefined): Promise<void> => {
    if (entry === undefined) return;
    const { goal } = entry;
    // Stays open until the session has ended, to show a fault.
    if ('action' in goal && goal.action === 'sign-out' && !(await leave.run())) return;
    onClose();
    if ('address' in goal) {
      if (goal.address.startsWith(`${BASE_PATH}/api/`)) location.assign(goal.address);
      else navigate(goal.address);
    } else if (goal.action === 'shortcuts') onShortcuts();
    else if (goal.action !== 'sign-out') chooseScheme(goal.action);
  };

  useEffect(() => {
    if (!isEnterPending || isAwaited) return;
    setEnterPending(false);
    void perform(entries[0]);
  }, [isEnterPending, isAwaited]);

  useEffect(() => {
    document.getElementById(optionId(chosenPlace))?.scrollIntoView({ block: 'nearest' });
  }, [chosenPlace, entries.length]);

  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = entries[(chosenPlace + step + entries.length) % entries.length];
      setChosen(next && keyOf(next));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Screens are listed above the server's results, so an answer that is still to come does not change the first entry.
      const canOpenNow = !isAwaited || chosen !== undefined || groups[0]?.title === 'Screens and actions';
      if (canOpenNow) void perform(entries[chosenPlace]);
      else setEnterPending(true);
    }
  };

  let at = -1;
  return (
    <Dialog look="palette" title="Search" onClose={onClose}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="combobox"
          dir="auto"
          aria-label={findsRecords ? 'Find a project, release, issue, screen or action' : 'Find a screen or action'}
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={entries.length > 0 ? optionId(chosenPlace) : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          maxLength={MOST_CHARACTERS}
          placeholder={findsRecords ? 'Find a project, release, issue or screen' : 'Find a screen or action'}
          value={entered}
          onInput={(event) => {
            setEntered(event.currentTarget.value);
            setChosen(undefined);
            setEnterPending(false);
            leave.clear();
          }}
          onKeyDown={press}
        />
        <button type="button" class="button compact plain" onClick={onClose}>
          Close
        </button>
      </div>
      {fault === undefined ? null : (
        <FaultNotice
          fault={fault}
          onRetry={() => {
            retry();
            input.current?.focus();
          }}
        />
      )}
      {leave.fault === undefined ? null : <FaultNotice fault={leave.fault} />}
      <p class={entries.length === 0 && fault === undefined ? 'palette-state' : 'unseen'} role="status">
        {statusText(text, entries.length, isAwaited)}
      </p>
      {entries.length === 0 ? null : (
        <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="What was found">
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group options of a list box.
            <div key={group.title} role="group" aria-label={group.title}>
              <div class="palette-head" aria-hidden="true">
                {group.title}
              </div>
              {group.entries.map((entry) => {
                at += 1;
                return (
                  <Option
                    key={keyOf(entry)}
                    id={optionId(at)}
                    entry={entry}
                    isNamedAbove={entry.about === group.title}
                    isChosen={at === chosenPlace}
                    onChoose={() => setChosen(keyOf(entry))}
                    onPerform={() => void perform(entry)}
                  />
                );
              })}
            </div>
          ))}
        </div>
      )}
      <p class="palette-keys" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
};

const statusText = (text: string, count: number, isAwaited: boolean): string => {
  if (text === '') return '';
  if (isAwaited) return 'Searching';
  return count === 0 ? 'No results.' : `${countOf(count, 'result')}.`;
};

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  /** Whether the heading above says what it is. */
  readonly isNamedAbove: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onPerform: () => void;
}

/** A line of the list. The focus stays in the text field, which says which line is chosen. */
const Option = ({ id, entry, isNamedAbove, isChosen, onChoose, onPerform }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field.
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field.
  <div
    class="palette-option"
    role="option"
    id={id}
    aria-selected={isChosen}
    onMouseMove={isChosen ? undefined : onChoose}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPerform}
  >
    <span>
      {entry.before === undefined ? null : (
        <>
          <bdi>{entry.before}</bdi>{' '}
        </>
      )}
      <bdi>{entry.title}</bdi>
    </span>
    <span class="small soft">
      {isNamedAbove ? null : entry.about}
      {entry.of === undefined ? null : (
        <>
          {' '}
          of <bdi>{entry.of}</bdi>
        </>
      )}
      {entry.state === undefined ? null : ` · ${entry.state}`}
    </span>
  </div>
);
