import {
  type Operation,
  PROBLEMS,
  type ProblemType,
  problemsOf,
  type Schema,
  statusOf,
  TAGS,
} from '@shipworthy/client/contract';
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

/** The style of the pages made by `htmlPage`. */
const PAGE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; accent-color: light-dark(#1a5fb4, #78aeed); }
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

/** Serves pages by their exact path. As bytes that stay the same they are compressed once, not for each request. */
export const servePages = (pages: Readonly<Record<string, FixedPage>>): RequestStep => {
  const byPath = new Map(
    Object.entries(pages).map(([path, { contentType, text }]) => [path, { contentType, bytes: Buffer.from(text) }]),
  );
  return (ctx, next) => {
    const page = byPath.get(ctx.state.path);
    if (page === undefined) return next();
    ctx.state.operationId = 'page';
    refuseToWrite(ctx);
    Object.assign(ctx.state, { cacheControl: 'no-cache', contentPolicy: PAGE_POLICY });
    return answerWith(ctx, 200, page.contentType, page.bytes);
  };
};

const authWords = ({ auth }: Operation): string => {
  if (auth.kind === 'open') return 'Open to everybody.';
  if (auth.kind === 'signature') return 'For callers that sign the body with the right secret.';
  const role = auth.role ? ` Needs the role ${auth.role} in the team.` : '';
  if (auth.kind === 'session') return `Browser session only.${role}`;
  return `${auth.scope === null ? 'Any API key' : `API key with scope ${auth.scope}`}, or a browser session.${role}`;
};

const example = ({ body }: Operation): string => {
  const [first] = body?.examples ?? body?.items?.examples ?? [];
  if (first === undefined) return '';
  return JSON.stringify(body?.items ? [first] : first, null, 2);
};

/** The form field of a parameter: a choice of its values where these are listed, else a text. */
const field = (kind: 'path' | 'query' | 'header', name: string, schema: Schema, required: boolean): string => {
  const must = required ? ' required' : '';
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const options = values?.map((value) => `<option>${escapeHtml(String(value))}</option>`).join('');
  const control =
    options === undefined
      ? `<input name="${kind}:${name}"${must}>`
      : `<select name="${kind}:${name}"${must}><option value=""></option>${options}</select>`;
  const about = schema.description === undefined ? '' : `<small>${escapeHtml(schema.description)}</small>`;
  return `<label><span>${name}${required ? '' : ' (optional)'}</span>${control}${about}</label>`;
};

const UUID: Schema = { description: 'A UUID.' };
const VERSION: Schema = { description: 'The version that is changed, in double quotes, such as "3".' };
const REPETITION: Schema = { description: 'A request that is sent again with the same key is carried out once.' };

const fieldsOf = ({ path, parameters = {}, query, idempotent, ifMatch }: Operation): readonly string[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => field('path', name, parameters[name] ?? UUID, true)),
  ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    field('query', name, schema, query?.required?.includes(name) ?? false),
  ),
  ...(ifMatch === undefined ? [] : [field('header', 'If-Match', VERSION, ifMatch === 'required')]),
  ...(idempotent ? [field('header', 'Idempotency-Key', REPETITION, false)] : []),
];

const tryForm = (operation: Operation, basePath: string): string => {
  if (operation.stream) return '<p>Its answer goes on until either side ends it, so it cannot be tried here.</p>';
  const body = operation.body
    ? `<label><span>Body</span><textarea name="body" rows="8" spellcheck="false">${escapeHtml(example(operation))}</textarea></label>`
    : '';
  return `<form data-method="${operation.method}" data-path="${basePath}${operation.path}" autocomplete="off">
${[...fieldsOf(operation), body].join('\n')}
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

/** Where the page is served, and whether the application is served at the same address. */
interface PagePlace {
  readonly basePath: string;
  readonly application: boolean;
}

/** The page that shows every operation and lets one try it, made from the table. */
export const docsPage = (table: Readonly<Record<string, Operation>>, { basePath, application }: PagePlace): string => {
  const groups = Object.entries(TAGS).map(([tag, description]) => {
    const ofTag = Object.entries(table).filter(([, operation]) => operation.tag === tag);
    const sections = ofTag.map(([id, operation]) => section(id, operation, basePath)).join('\n');
    return `<section aria-labelledby="${tag}"><h2 id="${tag}">${tag}</h2>\n<p>${escapeHtml(description)}</p>\n${sections}</section>`;
  });
  const back = application ? `<nav><a href="${basePath}/">Back to the application</a></nav>\n` : '';
  const intro = `${back}<h1>The HTTP interface of Shipworthy</h1>
<p>The same as a document: <a href="${basePath}/api/openapi.json">OpenAPI 3.1</a>.</p>
<form id="key" autocomplete="off"><label><span>API key for trying</span>
<input name="key" type="password" autocomplete="off">
<small>It is kept by this page alone and forgotten when you leave it. Without one your session is used.</small></label></form>
<form id="find" role="search" autocomplete="off"><label><span>Find an operation</span><input type="search"></label>
<output></output></form>
<dialog id="question" aria-labelledby="asked"><p id="asked"></p>
<button type="button" value="send">Send it</button> <button type="button" value="" autofocus>Do not send it</button></dialog>`;
  return htmlPage({
    title: 'Shipworthy: HTTP interface',
    main: [intro, ...groups].join('\n'),
    basePath,
    script: `${basePath}/api/docs/try.js`,
  });
};

/**
 * The script of the documentation page: finds operations, sends a form once it is confirmed, shows the answer as text.
 */
const TRY_SCRIPT = `'use strict';
const one = (selector) => document.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const MOST_SHOWN = 200_000;

const keyField = one('#key input');
one('#key').addEventListener('submit', (event) => event.preventDefault());

const showNamed = () => {
  const named = document.getElementById(location.hash.slice(1));
  if (named === null || named.tagName !== 'DETAILS') return;
  named.open = true;
  named.scrollIntoView();
};
addEventListener('hashchange', showNamed);
showNamed();

const find = one('#find');
const textOf = (operation) => operation.querySelector('summary').textContent.toLowerCase();
const showFound = () => {
  const words = find.querySelector('input').value.toLowerCase().split(' ').filter(Boolean);
  const operations = all('main details');
  for (const each of operations) each.hidden = !words.every((word) => textOf(each).includes(word));
  for (const group of all('main section')) group.hidden = group.querySelector('details:not([hidden])') === null;
  const count = operations.filter((each) => !each.hidden).length;
  find.querySelector('output').textContent = words.length === 0 ? '' : count + ' of ' + operations.length + ' operations';
};
find.addEventListener('input', showFound);
// Words may have been written while the script was on its way.
showFound();
find.addEventListener('submit', (event) => event.preventDefault());

const question = one('#question');
for (const button of all('button', question)) button.addEventListener('click', () => question.close(button.value));
const confirmed = (text) =>
  new Promise((resolve) => {
    one('#asked').textContent = text;
    question.returnValue = '';
    question.addEventListener('close', () => resolve(question.returnValue === 'send'), { once: true });
    question.showModal();
  });

const requestOf = (form) => {
  const query = new URLSearchParams();
  const headers = {};
  let path = form.dataset.path;
  for (const { name: fullName, value } of all('input, select', form)) {
    const [kind, name] = fullName.split(':');
    if (kind === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (value !== '' && kind === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  const hasKey = keyField.value !== '';
  if (hasKey) headers.Authorization = 'Bearer ' + keyField.value.trim();
  const body = form.querySelector('textarea');
  const hasBody = body !== null && body.value.trim() !== '';
  if (hasBody) headers['Content-Type'] = 'application/json';
  const text = query.toString();
  return {
    address: path + (text === '' ? '' : '?' + text),
    options: {
      method: form.dataset.method,
      headers,
      credentials: hasKey ? 'omit' : 'same-origin',
      // An answer that leads elsewhere is shown, not followed.
      redirect: 'manual',
      cache: 'no-store',
      ...(hasBody ? { body: body.value } : {}),
    },
  };
};

const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const answerTo = async ({ address, options }) => {
  try {
    const response = await fetch(address, options);
    if (response.type === 'opaqueredirect') return 'The answer leads to another page, which is not opened from here.';
    const text = readable(await response.text());
    const rest = text.length > MOST_SHOWN ? ' ... ' + (text.length - MOST_SHOWN) + ' more characters' : '';
    return [(response.status + ' ' + response.statusText).trim(), '', text.slice(0, MOST_SHOWN) + rest].join(
      String.fromCharCode(10),
    );
  } catch (error) {
    return 'No answer: ' + error.message;
  }
};

for (const form of all('form[data-path]'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { method } = form.dataset;
    const request = requestOf(form);
    if (method !== 'GET' && !(await confirmed(method + ' ' + request.address + ' may change data of this server.'))) return;
    const button = form.querySelector('button');
    button.disabled = true;
    const pre = document.createElement('pre');
    pre.tabIndex = 0;
    pre.textContent = await answerTo(request);
    form.querySelector('output').replaceChildren(pre);
    button.disabled = false;
    button.focus();
  });

// A browser may bring a page back as it was left, with keys and answers.
addEventListener('pagehide', () => {
  for (const form of all('form')) form.reset();
  for (const output of all('output')) output.replaceChildren();
  showFound();
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
    '/api/docs/style.css': { contentType: 'text/css; charset=utf-8', text: PAGE_STYLE },
    '/api/docs/try.js': { contentType: 'text/javascript; charset=utf-8', text: TRY_SCRIPT },
    ...Object.fromEntries(
      types.map((type) => [
        `/api/docs/problems/${type}`,
        { contentType: HTML, text: problemPage(type, answering.get(type) ?? [], basePath) },
      ]),
    ),
  };
};
