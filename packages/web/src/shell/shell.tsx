import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announcement, followEvents } from '../api/live.js';
import { visitor } from '../api/session.js';
import { Masthead } from './masthead.js';

/** The frame of every screen: the way past the head, the head, the screen, and the voice that announces decisions. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const signedIn = visitor.value.kind === 'signed_in';
  useEffect(() => (signedIn ? followEvents() : undefined), [signedIn]);
  return (
    <div class="shell">
      <a class="button skip" href="#content">
        Skip to the content
      </a>
      <Masthead />
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="colophon">
        <a href="/api/docs">HTTP interface</a>
      </footer>
      <div class="unseen" role="status">
        {announcement.value}
      </div>
    </div>
  );
};
