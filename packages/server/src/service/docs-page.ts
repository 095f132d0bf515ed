import { type Operation, PROBLEMS, problemsOf, statusOf, TAGS } from '@shipworthy/client/contract';
import { escapeHtml, htmlPage } from './html.js';

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
