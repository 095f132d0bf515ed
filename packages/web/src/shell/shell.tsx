import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { client } from '../api/client.js';
import { announcement, followServerEvents, live } from '../api/live.js';
import { signedOut, visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { BASE_PATH, HOME, isHome, SETTINGS } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icon.js';
import { Search } from './search.js';
import { opened, Shortcuts, useShortcuts } from './shortcuts.js';
import './shortcuts.css';

/** The frame of every screen: the way past the head, the head, the screen, and the voice that announces decisions. */
export const AppShell = ({ children }: { readonly children: ComponentChildren }) => {
  const who = visitor.value;
  const signedIn = who.kind === 'signed_in';
  // Not drawn before it is known who is there, and then anew: a head that grows would push everything down.
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
export const Brand = () => (
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
