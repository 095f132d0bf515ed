import { escapeHtml, htmlPage } from './html.js';

/** Where the application goes on with whoever comes back from the repository host. */
const SETTINGS_OF_HOST = '/settings/repository-host';

const wayOn = (basePath: string): string => `<p><a href="${basePath}${SETTINGS_OF_HOST}">Go on in the settings</a></p>`;

/** The page a person sees on coming back from the repository host; `host` is its name for people. */
export const connectedPage = (
  host: string,
  account: string,
  { basePath, application }: { readonly basePath: string; readonly application: boolean },
): string =>
  htmlPage({
    title: `${host} is connected`,
    main: `<h1>${escapeHtml(host)} is connected</h1>
<p>Shipworthy reads at ${escapeHtml(host)} as <b>${escapeHtml(account)}</b> from now on, and writes nothing there.</p>
${application ? wayOn(basePath) : '<p>You can close this page, and link a repository to a project.</p>'}`,
    basePath,
    ...(application ? { next: basePath + SETTINGS_OF_HOST } : {}),
  });

/** The page of whoever comes back without having connected, where the application is served: why, and back to its settings. */
export const notConnectedPage = (detail: string, requestId: string, basePath: string): string =>
  htmlPage({
    title: 'Not connected',
    main: `<h1>Not connected</h1>
<p>${escapeHtml(detail)}</p>
${wayOn(basePath)}
<p><small>Request ${escapeHtml(requestId)}</small></p>`,
    basePath,
  });
