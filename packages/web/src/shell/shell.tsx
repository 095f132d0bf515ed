import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { client } from '../api/client.js';
import { announcement, followServerEvents, liveUpdates } from '../api/live.js';
import { useResource } from '../api/resource.js';
import { endSession, isOffered, sessionEnded, visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { BASE_PATH, GATE_CHANGES, GATE_CHANGES_KEY, HOME, isHome, SETTINGS } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icon.js';
import './shortcuts.css';
import { signal } from '@preact/signals';
import { keepFocus } from '../navigation/navigate.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';
import { FaultNotice } from '../parts/notice.js';
import { UndoBar } from '../parts/undo.js';
import { unreadText } from '../wording/numbers.js';
import { clearReloadMark, PartNotLoaded, reloadOnce } from './later.js';
import type { Palette } from './palette.js';

/** The frame of every screen: skip link, head, the screen itself, and the live region that announces decisions. */
export const AppShell = ({ children }: { readonly children: ComponentChildren }) => {
  const who = visitor.value;
  const signedIn = who.kind === 'signed_in';
  const userId = signedIn ? who.user.id : undefined;
  // Not drawn until the visitor is known: a head that grows later would push everything down.
  const isAwaited = who.kind === 'not_known_yet' && who.fault === undefined;
  const isFollowing = signedIn && !sessionEnded.value;
  useEffect(() => (isFollowing ? followServerEvents() : undefined), [isFollowing, userId]);
  useEffect(keepFocus, []);
  useEffect(() => {
    announcement.value = '';
  }, [userId]);
  useShortcuts(signedIn);
  return (
    <div class={sessionEnded.value ? 'shell ended' : 'shell'} key={isAwaited ? 'awaited' : 'drawn'}>
      <a class="button skip" href="#content">
        Skip to the content
      </a>
      {/* The key makes it anew for another person, without the former one's unread count and faults. */}
      {isAwaited ? null : <Masthead key={userId} />}
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
      <UndoBar />
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
      {signedIn && opened.value === 'search' ? <Search key={`search-${userId}`} /> : null}
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

const LIVENESS = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Waiting for the server',
  regular: 'Updates every 30 s',
} as const;

/** The bar above every screen. */
const Masthead = () => {
  const { path } = useLocation();
  const who = visitor.value;
  const leave = useAction(endSession);
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
              aria-keyshortcuts={`${isApple ? 'Meta' : 'Control'}+K /`}
              onClick={() => {
                opened.value = 'search';
              }}
            >
              <Icon name="search" />
              <span>Search</span>
              <kbd>{PALETTE_KEYS.join(' ')}</kbd>
            </button>
            {isOffered('gate-changes') ? <Bell /> : null}
            <div class="end">
              <span class={`liveness ${liveUpdates.value}`}>{LIVENESS[liveUpdates.value]}</span>
              <span class="small soft whose">{who.user.name}</span>
              <Button compact look="plain" busy={leave.running} onClick={() => void leave.run()}>
                Sign out
              </Button>
            </div>
          </>
        )}
      </div>
      {leave.fault === undefined ? null : (
        <div>
          <FaultNotice fault={leave.fault} />
        </div>
      )}
    </header>
  );
};

/** The link to the gate changes, with the number of unread ones. */
const Bell = () => {
  const { path } = useLocation();
  const known = useResource(`${GATE_CHANGES_KEY}/unread`, async (signal) => {
    const { body } = await client.listGateChanges({ query: { limit: 1 }, signal });
    return body.unread;
  });
  const unread = known.state.value.value ?? 0;
  const count = unreadText(unread);
  return (
    <a
      class="bell"
      href={GATE_CHANGES}
      aria-label={unread === 0 ? 'Gate changes' : `Gate changes, ${count} unread`}
      aria-current={path === GATE_CHANGES ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unread === 0 ? null : <span class="number">{count}</span>}
    </a>
  );
};

/** The logo, a ship, with the product's name; leads to the first screen. */
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

/** The palette once its file is loaded; `missing`: that failed. */
const palette = signal<typeof Palette | 'missing' | undefined>(undefined);

const readPalette = async () => {
  const file = await import('./palette.js');
  palette.value = file.Palette;
  clearReloadMark('search');
};

/** Loads the palette's file; when it is gone because the server was upgraded, the page is loaded anew. */
const loadPalette = async (): Promise<void> => {
  if (typeof palette.peek() === 'function') return;
  try {
    await readPalette();
  } catch {
    if (!(await reloadOnce('search'))) palette.value = 'missing';
  }
};

/** How long after sign-in is known the palette's file is loaded ahead, in milliseconds, so that it opens at once. */
const READ_AHEAD_MS = 2_000;

/** The palette. Until its file is loaded, a plain field takes its place and hands on what was typed. */
const Search = () => {
  const [typed, setTyped] = useState('');
  useEffect(() => void loadPalette(), []);
  const Loaded = palette.value;
  if (typeof Loaded === 'function')
    return (
      <Loaded
        typed={typed}
        onClose={closeOpened}
        onShortcuts={() => {
          opened.value = 'shortcuts';
        }}
      />
    );
  return (
    <Dialog title="Search" onClose={closeOpened}>
      {Loaded === undefined ? (
        <TextField label="Find" type="search" autocomplete="off" autofocus value={typed} onValue={setTyped} />
      ) : (
        <PartNotLoaded what="The search" />
      )}
      <div>
        <Button onClick={closeOpened}>Close</Button>
      </div>
    </Dialog>
  );
};

/** Whether the keys of commands are those of Apple: there Ctrl and K deletes the rest of a line. */
const isApple = /Mac|iP(?:hone|ad)/.test(navigator.platform);
const PALETTE_KEYS = [isApple ? '⌘' : 'Ctrl', 'K'] as const;

const shortcuts = () =>
  [
    [[...PALETTE_KEYS], isOffered('search') ? 'Find a project, release, issue or screen' : 'Find a screen or action'],
    [['/'], 'The same, where no text is written'],
    [['?'], 'Show this sheet'],
    [['Tab'], 'Go to the next link, button or field; with Shift to the one before'],
    [['Enter'], 'Follow a link, press a button, save a form'],
    [['Space'], 'Tick a checklist item, open what is folded'],
    [['←', '→'], 'Move a value in What if'],
    [['Esc'], 'Close a dialog'],
  ] as const;

/** The sheet of keys that do something. */
const Shortcuts = () => (
  <Dialog title="Keyboard shortcuts" onClose={closeOpened}>
    <dl class="shortcuts">
      {shortcuts().map(([keys, meaning]) => (
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

/** Whether the keys are those of the palette, which also work while a person types. */
const opensPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

/** Lets keys open the palette and the sheet of shortcuts: single ones not while a person types, none while a dialog is open. */
const useShortcuts = (isOn: boolean): void => {
  // Listens before the next frame: then the screen is seen, and its keys may be pressed.
  useLayoutEffect(() => {
    if (!isOn) return;
    const ahead = setTimeout(() => void readPalette().catch(() => undefined), READ_AHEAD_MS);
    const press = (event: KeyboardEvent) => {
      if (opensPalette(event)) {
        if (opened.value !== 'search' && document.querySelector('dialog[open]') !== null) return;
        event.preventDefault();
        opened.value = opened.value === 'search' ? undefined : 'search';
        return;
      }
      const wanted = KEYS[event.key];
      if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(WRITTEN_IN)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      opened.value = wanted;
    };
    addEventListener('keydown', press);
    return () => {
      clearTimeout(ahead);
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
