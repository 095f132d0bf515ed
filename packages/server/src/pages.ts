import { answerWith, PAGE_POLICY, refuseToWrite } from './http/answer.js';
import type { RequestStep } from './http/request.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, in content and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** The content of one of our own pages. All paths are those of the public address. */
export interface HtmlPage {
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly basePath: string;
  readonly script?: string;
  /** Address to which the browser goes on at once. */
  readonly next?: string;
}

/** A whole page of ours: one stylesheet, no inline style or script, light and dark. */
export const htmlPage = ({ title, main, basePath, script, next }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${basePath}/api/docs/style.css">
${next === undefined ? '' : `<meta http-equiv="refresh" content="0; url=${next}">\n`}${script === undefined ? '' : `<script src="${script}" defer></script>\n`}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<main id="main">
${main}
</main>
</body>
</html>
`;

/** The style of those pages. */
export const PAGE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; accent-color: light-dark(#1a5fb4, #78aeed); }
body { margin: 0; background: light-dark(#fff, #16191d); color: light-dark(#1a1d21, #e6e9ed); }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
a { color: light-dark(#1a5fb4, #78aeed); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; }
code, pre, textarea, input, select { font-family: ui-monospace, monospace; font-size: .9rem; }
pre, textarea { overflow: auto; max-width: 100%; }
pre { max-height: 30rem; overflow-wrap: anywhere; white-space: pre-wrap; }
details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .2rem 0; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
form { display: grid; gap: .75rem; margin: .75rem 0; max-width: 40rem; justify-items: start; }
label { display: grid; gap: .2rem; width: 100%; }
input, select, textarea, button { font-size: .9rem; padding: .4rem .6rem; border-radius: .4rem; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: transparent; color: inherit; box-sizing: border-box; }
select option, dialog { background: light-dark(#fff, #16191d); color: inherit; }
button { font: inherit; cursor: pointer; }
output { width: 100%; }
small { opacity: .8; }
dialog { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .6rem; max-width: 32rem; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid light-dark(#1a5fb4, #78aeed); outline-offset: 2px; }
`;

/** The screen to which people come back from the repository host. */
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

/** The page for a person who comes back from the host without a connection: it says why and links to the application's settings. */
export const notConnectedPage = (detail: string, requestId: string, basePath: string): string =>
  htmlPage({
    title: 'Not connected',
    main: `<h1>Not connected</h1>
<p>${escapeHtml(detail)}</p>
${wayOn(basePath)}
<p><small>Request ${escapeHtml(requestId)}</small></p>`,
    basePath,
  });

/** A fixed text beside the operations: a documentation page or its script. */
export interface FixedPage {
  readonly contentType: string;
  readonly text: string;
}

/** Serves pages by their exact path. */
export const servePages = (pages: Readonly<Record<string, FixedPage>>): RequestStep => {
  const byPath = new Map(Object.entries(pages));
  return (ctx, next) => {
    const page = byPath.get(ctx.state.path);
    if (page === undefined) return next();
    ctx.state.operationId = 'page';
    refuseToWrite(ctx);
    Object.assign(ctx.state, { cacheControl: 'no-cache', contentPolicy: PAGE_POLICY });
    return answerWith(ctx, 200, page.contentType, page.text);
  };
};
