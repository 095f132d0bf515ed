import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { client } from '../api/client.js';
import { announcement, followServerEvents, live } from '../api/live.js';
import { signedOut, visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { BASE_PATH, HOME, inProject, isHome, SETTINGS } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icon.js';
import './shortcuts.css';
import { signal } from '@preact/signals';
import { useResource } from '../api/resource.js';
import { navigate } from '../navigation/navigate.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';
import { Shown } from '../parts/shown.js';
import { countOf } from '../wording/numbers.js';
import { findablesMatching, findablesOf } from './findable.js';

/** The frame of every screen: the way past the head, the head, the screen, and the voice that announces decisions. */
export const AppShell = ({ children }: { readonly children: ComponentChildren }) => {
  const who = visitor.value;
  const signedIn = who.kind === 'signed_in';
  // Not drawn until the visitor is known: a head that grows later would push everything down.
  const isAwaited = who.kind === 'not_known_yet' && who.fault === undefined;
  useEffect(() => (signedIn ? followServerEvents() : undefined), [signedIn]);
  useShortcuts(signedIn);
  return (
    <div class="shell" key={isAwaited ? 'awaited' : 'drawn'}>
      <a class="button skip" href="#content">
        Skip to the content
      </a>
      {isAwaited ? null : <Masthead />}
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="colophon">
        <a href={`${BASE_PATH}/api/docs`}>HTTP interface</a>
        {signedIn ? (
          <Button
            compact
            look="plain"
            onClick={() => {
              opened.value = 'shortcuts';
            }}
          >
            Keyboard shortcuts
          </Button>
        ) : null}
      </footer>
      {signedIn && opened.value === 'search' ? <Search /> : null}
      {signedIn && opened.value === 'shortcuts' ? <Shortcuts /> : null}
      <div class="unseen" role="status">
        {announcement.value}
      </div>
    </div>
  );
};

const LINKS = [
  ['Projects', HOME],
  ['Settings', SETTINGS],
] as const;

const LIVENESS = { connecting: 'Connecting', live: 'Live', waiting: 'Waiting for the server' } as const;

/** The bar above every screen. */
const Masthead = () => {
  const { path } = useLocation();
  const who = visitor.value;
  const leave = useAction(async () => {
    await client.signOut();
    signedOut();
  });
  return (
    <header class="masthead">
      <div>
        <Brand />
        {who.kind !== 'signed_in' ? null : (
          <>
            <nav aria-label="Main">
              <ul>
                {LINKS.map(([title, address]) => (
                  <li key={address}>
                    <a
                      href={address}
                      aria-current={
                        address === HOME
                          ? isHome(path)
                            ? 'page'
                            : undefined
                          : path.startsWith(address)
                            ? 'page'
                            : undefined
                      }
                    >
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <button
              type="button"
              class="finder"
              aria-keyshortcuts="/"
              onClick={() => {
                opened.value = 'search';
              }}
            >
              <Icon name="search" />
              <span>Search</span>
              <kbd>/</kbd>
            </button>
            <div class="end">
              <span class={`liveness ${live.value}`}>{LIVENESS[live.value]}</span>
              <span class="small soft whose">{who.user.name}</span>
              <Button compact look="plain" onClick={() => void leave.run()}>
                Sign out
              </Button>
            </div>
          </>
        )}
      </div>
    </header>
  );
};

/** The ship's bow and its wake. */
const Brand = () => (
  <a class="brand" href={HOME}>
    <svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d="M3 15.5l2.2 4.5h13.6l2.2-4.5L12 12zM12 12V3.5M6.5 14V8h11v6"
        stroke-width="2"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
    Shipworthy
  </a>
);

const SHOWN = 8;
/** Further projects are found by their own name only. */
const PROJECTS_WITH_RELEASES = 30;

const readFindables = async (signal: AbortSignal) => {
  const teams = (await client.listTeams({ signal })).body.data;
  const places = teams.flatMap((team) => team.projects.map(({ id }) => ({ teamId: team.id, projectId: id })));
  const releases = places.slice(0, PROJECTS_WITH_RELEASES).map(async (place) => {
    const { body } = await client.listReleases({ path: inProject(place), query: { limit: 100 }, signal });
    return [place.projectId, body.data] as const;
  });
  return findablesOf(teams, new Map(await Promise.all(releases)));
};

/** Goes to a project or a release by its name. */
const Search = () => {
  const [text, setText] = useState('');
  const findables = useResource('findables', readFindables);
  const found = findablesMatching(findables.state.value.value ?? [], text, SHOWN);
  const goTo = (address: string) => {
    closeOpened();
    navigate(address);
  };
  return (
    <Dialog
      title="Find a project or a release"
      onClose={closeOpened}
      onSubmit={() => {
        if (found[0] !== undefined) goTo(found[0].address);
      }}
    >
      <TextField
        label="Name"
        hint="Enter goes to the first one."
        type="search"
        autocomplete="off"
        value={text}
        onValue={setText}
      />
      <Shown of={findables}>
        {() => (
          <>
            <p class="small soft" role="status">
              {found.length === 0
                ? 'Nothing of that name.'
                : text.trim() === ''
                  ? 'All of them, the first few.'
                  : `${countOf(found.length, 'place')}${found.length === SHOWN ? ' or more' : ''}.`}
            </p>
            <ul class="found">
              {found.map(({ title, about, address }) => (
                <li key={address}>
                  {/* The address is followed by the application's own handling of links. */}
                  <a href={address} onClick={closeOpened}>
                    {title} <span class="small soft">{about}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
      <div>
        <Button onClick={closeOpened}>Close</Button>
      </div>
    </Dialog>
  );
};

const SHORTCUTS = [
  [['/'], 'Find a project or a release'],
  [['?'], 'Show this sheet'],
  [['Tab'], 'Go to the next link, button or field; with Shift to the one before'],
  [['Enter'], 'Follow a link, press a button, save a form'],
  [['Space'], 'Tick a checklist item, open what is folded'],
  [['←', '→'], 'Move what you suppose in What if'],
  [['Esc'], 'Close what stands above the screen'],
] as const;

/** The sheet of keys that do something. */
const Shortcuts = () => (
  <Dialog title="Keyboard shortcuts" onClose={closeOpened}>
    <dl class="shortcuts">
      {SHORTCUTS.map(([keys, meaning]) => (
        <div key={meaning}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <div>
      <Button onClick={closeOpened}>Close</Button>
    </div>
  </Dialog>
);

const KEYS: Readonly<Record<string, 'search' | 'shortcuts'>> = { '/': 'search', '?': 'shortcuts' };

/** Elements in which a key is text, not a shortcut. */
const WRITTEN_IN = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

/** Lets single keys open the search and the sheet of shortcuts, except while a person types or a dialog is open. */
const useShortcuts = (isOn: boolean): void => {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const wanted = KEYS[event.key];
      if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(WRITTEN_IN)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      opened.value = wanted;
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closeOpened();
    };
  }, [isOn]);
};

/** The dialog that a shortcut or a button of the frame has opened. */
const opened = signal<'search' | 'shortcuts' | undefined>(undefined);

const closeOpened = (): void => {
  opened.value = undefined;
};
