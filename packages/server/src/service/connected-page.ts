import { escapeHtml, htmlPage } from './html.js';

/** The page a person sees on coming back from the repository host; `host` is its name for people. */
export const connectedPage = (host: string, account: string): string =>
  htmlPage(
    `${host} is connected`,
    `<h1>${escapeHtml(host)} is connected</h1>
<p>Shipworthy reads at ${escapeHtml(host)} as <b>${escapeHtml(account)}</b> from now on, and writes nothing there.</p>
<p>You can close this page, and link a repository to a project.</p>`,
    null,
  );
