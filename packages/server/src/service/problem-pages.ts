import { type Operation, PROBLEMS, type ProblemType, problemsOf, statusOf } from '@shipworthy/client/contract';
import type { Page } from '../http/page.js';
import { escapeHtml, htmlPage, STYLE } from './html.js';
import { TRY_SCRIPT } from './try-script.js';

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
export const documentationPages = (table: Table, basePath: string): Readonly<Record<string, Page>> => {
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
