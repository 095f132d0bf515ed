import { escapeHtml, htmlPage } from './html.js';

/** Where the application goes on with whoever comes back from the repository host. */
export const SETTINGS_OF_HOST = '/settings/repository-host';

const WAY_ON = `<p><a href="${SETTINGS_OF_HOST}">Go on in the settings</a></p>`;

/**
 * The page a person sees on coming back from the repository host; `host` is its name for people.
 * Where the application is served it leads on to its settings.
 */
export const connectedPage = (host: string, account: string, application: boolean): string =>
  htmlPage(
    `${host} is connected`,
    `<h1>${escapeHtml(host)} is connected</h1>
<p>Shipworthy reads at ${escapeHtml(host)} as <b>${escapeHtml(account)}</b> from now on, and writes nothing there.</p>
${application ? WAY_ON : '<p>You can close this page, and link a repository to a project.</p>'}`,
    null,
    application ? SETTINGS_OF_HOST : null,
  );

/** The page of whoever comes back without having connected, where the application is served: why, and back to its settings. */
export const notConnectedPage = (detail: string, requestId: string): string =>
  htmlPage(
    'Not connected',
    `<h1>Not connected</h1>
<p>${escapeHtml(detail)}</p>
${WAY_ON}
<p><small>Request ${escapeHtml(requestId)}</small></p>`,
    null,
  );
