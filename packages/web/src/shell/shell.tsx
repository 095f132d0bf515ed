import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announcement, followEvents } from '../api/live.js';
import { visitor } from '../api/session.js';
import { BASE_PATH } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Masthead } from './masthead.js';
import { opened } from './opened.js';
import { Search } from './search.js';
import './shortcuts.css';
import { Shortcuts } from './shortcuts.js';
import { useShortcuts } from './use-shortcuts.js';

/** The frame of every screen: the way past the head, the head, the screen, and the voice that announces decisions. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const who = visitor.value;
  const signedIn = who.kind === 'signed_in';
  // Not drawn before it is known who is there, and then anew: a head that grows would push everything down.
  const isAwaited = who.kind === 'not_known_yet' && who.fault === undefined;
  useEffect(() => (signedIn ? followEvents() : undefined), [signedIn]);
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
