import { type Operation, PROBLEMS, type ProblemType, problemsOf, statusOf, TAGS } from '@shipworthy/client/contract';
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
interface HtmlPage {
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly basePath: string;
  readonly script?: string;
  /** Address to which the browser goes on at once. */
  readonly next?: string;
}

/** A whole page of ours: one stylesheet, no inline style or script, light and dark. */
const htmlPage = ({ title, main, basePath, script, next }: HtmlPage): string => `<!doctype html>
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
const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; }
code, pre, textarea, input { font-family: ui-monospace, monospace; font-size: .9rem; }
pre, textarea { overflow: auto; max-width: 100%; }
details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
form { display: grid; gap: .5rem; margin: .5rem 0; max-width: 40rem; }
label { display: grid; gap: .1rem; }
`;

const authWords = ({ auth }: Operation): string => {
  if (auth.kind === 'open') return 'Open to everybody.';
  if (auth.kind === 'signature') return 'For whoever signs the body with the right secret.';
  const role = auth.role ? ` Needs the role ${auth.role} in the team.` : '';
  if (auth.kind === 'session') return `Browser session only.${role}`;
  return `${auth.scope === null ? 'Any API key' : `API key with scope ${auth.scope}`}, or a browser session.${role}`;
};

const example = ({ body }: Operation): string => {
  const [first] = body?.examples ?? body?.items?.examples ?? [];
  if (first === undefined) return '';
  return JSON.stringify(body?.items ? [first] : first, null, 2);
};

const field = (name: string, kind: 'path' | 'query'): string =>
  `<label>${name}<input name="${kind}:${name}" autocomplete="off"></label>`;

const tryForm = (operation: Operation, basePath: string): string => {
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => field(name, 'path'));
  const query = Object.keys(operation.query?.properties ?? {}).map((name) => field(name, 'query'));
  const body = operation.body
    ? `<label>Body<textarea name="body" rows="8">${escapeHtml(example(operation))}</textarea></label>`
    : '';
  return `<form data-method="${operation.method}" data-path="${basePath}${operation.path}">
${[...path, ...query, body].join('\n')}
<button>Try it</button>
<output></output>
</form>`;
};

const problemRows = (operation: Operation, basePath: string): string =>
  problemsOf(operation)
    .map(
      (type) =>
        `<tr><td>${statusOf(operation, type)}</td><td><a href="${basePath}/api/docs/problems/${type}">${type}</a></td><td>${escapeHtml(PROBLEMS[type].title)}</td></tr>`,
    )
    .join('\n');

const section = (id: string, operation: Operation, basePath: string): string => `<details id="${id}">
<summary><b>${operation.method}</b> <code>${escapeHtml(operation.path)}</code> ${escapeHtml(operation.summary)}</summary>
<p>${escapeHtml(operation.description ?? '')} ${authWords(operation)}${operation.idempotent ? ' Honours <code>Idempotency-Key</code>.' : ''}</p>
<p>Answers ${operation.success.status}.</p>
${tryForm(operation, basePath)}
<table><caption>What it may refuse</caption>
${problemRows(operation, basePath)}
</table>
</details>`;

/** The page that shows every operation and lets one try it, made from the table. */
export const docsPage = (table: Readonly<Record<string, Operation>>, basePath: string): string => {
  const groups = Object.entries(TAGS).map(([tag, description]) => {
    const ofTag = Object.entries(table).filter(([, operation]) => operation.tag === tag);
    const sections = ofTag.map(([id, operation]) => section(id, operation, basePath)).join('\n');
    return `<h2 id="${tag}">${tag}</h2>\n<p>${escapeHtml(description)}</p>\n${sections}`;
  });
  const intro = `<h1>The HTTP interface of Shipworthy</h1>
<p>The same as a document: <a href="${basePath}/api/openapi.json">OpenAPI 3.1</a>.</p>
<form id="key"><label>API key for trying (stays in this page; without one your session is used)
<input name="key" type="password" autocomplete="off"></label></form>`;
  return htmlPage({
    title: 'Shipworthy: HTTP interface',
    main: [intro, ...groups].join('\n'),
    basePath,
    script: `${basePath}/api/docs/try.js`,
  });
};

/** The script of the documentation page: sends what a form says and shows the answer as text. */
const TRY_SCRIPT = `'use strict';
const keyField = document.querySelector('#key input');
document.querySelector('#key').addEventListener('submit', (event) => event.preventDefault());

const requestOf = (form) => {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll('input')) {
    const [kind, name] = input.name.split(':');
    if (kind === 'path') path = path.replace('{' + name + '}', encodeURIComponent(input.value));
    else if (input.value !== '') query.set(name, input.value);
  }
  const headers = {};
  if (keyField.value !== '') headers.Authorization = 'Bearer ' + keyField.value;
  const options = { method: form.dataset.method, headers };
  const body = form.querySelector('textarea');
  if (body !== null && body.value.trim() !== '') {
    headers['Content-Type'] = 'application/json';
    options.body = body.value;
  }
  const text = query.toString();
  return [path + (text === '' ? '' : '?' + text), options];
};

const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

for (const form of document.querySelectorAll('form[data-path]'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const pre = document.createElement('pre');
    form.querySelector('output').replaceChildren(pre);
    try {
      const response = await fetch(...requestOf(form));
      pre.textContent = response.status + ' ' + response.statusText + '\\n\\n' + readable(await response.text());
    } catch (error) {
      pre.textContent = 'No answer: ' + error.message;
    }
  });
`;

type Table = Readonly<Record<string, Operation>>;

const HTML = 'text/html; charset=utf-8';

/** The operations that may answer each problem type, with their ids. */
const operationsByProblem = (table: Table): ReadonlyMap<ProblemType, readonly (readonly [string, Operation])[]> => {
  const answering = new Map<ProblemType, (readonly [string, Operation])[]>();
  for (const entry of Object.entries(table))
    for (const type of problemsOf(entry[1])) answering.set(type, [...(answering.get(type) ?? []), entry]);
  return answering;
};

const problemPage = (
  type: ProblemType,
  answering: readonly (readonly [string, Operation])[],
  basePath: string,
): string => {
  const { status, title } = PROBLEMS[type];
  const rows = answering.map(
    ([id, operation]) =>
      `<li>${statusOf(operation, type)} by <a href="${basePath}/api/docs#${id}">${operation.method} <code>${escapeHtml(operation.path)}</code></a></li>`,
  );
  return htmlPage({
    title,
    main: `<h1>${escapeHtml(title)}</h1>
<p><code>${type}</code>, answered with HTTP status ${status} unless the operation says otherwise. The <code>detail</code> of the answer says what went wrong this time; <code>request_id</code> names the request in the log of the service.</p>
<h2>Where it may be answered</h2>
<ul>
${rows.join('\n')}
</ul>
<p><a href="${basePath}/api/docs">All operations</a></p>`,
    basePath,
  });
};

/** The pages that belong to the documentation, by path without the base path: one per problem type, their style, the script to try operations. */
export const documentationPages = (table: Table, basePath: string): Readonly<Record<string, FixedPage>> => {
  const types = Object.keys(PROBLEMS) as ProblemType[];
  const answering = operationsByProblem(table);
  return {
    '/api/docs/style.css': { contentType: 'text/css; charset=utf-8', text: STYLE },
    '/api/docs/try.js': { contentType: 'text/javascript; charset=utf-8', text: TRY_SCRIPT },
    ...Object.fromEntries(
      types.map((type) => [
        `/api/docs/problems/${type}`,
        { contentType: HTML, text: problemPage(type, answering.get(type) ?? [], basePath) },
      ]),
    ),
  };
};

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
