import type { Answer, Unchanged } from './call.js';
import type { OperationId } from './contract/operations.js';
import type { Problem } from './contract/problem.js';
import {
  AnswerTooLargeError,
  type Circumstances,
  memberOf,
  ProblemError,
  ResponseShapeError,
  type ShipworthyError,
  UnexpectedAnswerError,
} from './error.js';
import type { Route } from './routes.js';

/** Reads what arrived into an answer or an error. `hide` takes secrets out of what an error quotes. */
export const readAnswer = async (
  response: Response,
  { conditional, route, ...known }: Known,
  hide: (text: string) => string,
): Promise<Answer<unknown> | Unchanged | ShipworthyError> => {
  const { status, headers } = response;
  const contentType = headers.get('content-type');
  const requestId = headers.get('x-request-id');
  const circumstances = { ...known, requestId: requestId && hide(requestId) };
  const text = await readText(response);
  if (text === undefined) return new AnswerTooLargeError(status, MOST_ANSWER_BYTES, circumstances);

  const fail = (): ShipworthyError => {
    const wait = retryAfter(headers);
    const safe = hide(text);
    const problem = isJson(contentType) ? parse(safe)?.value : undefined;
    if (status >= 400 && isProblemBody(problem)) {
      return new ProblemError({ ...problem, status }, wait, circumstances);
    }
    const redirected = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
    const what =
      status === 304
        ? 'answered that nothing changed (304), which was not asked'
        : redirected
          ? `answered with a redirect (${status}), which is not followed`
          : `answered ${status} with ${hide(contentType ?? 'no content type')} instead of JSON`;
    const excerpt = safe.replace(/\s+/g, ' ').trim().slice(0, 200);
    return new UnexpectedAnswerError(what, status, contentType && hide(contentType), excerpt, wait, circumstances);
  };

  const common = {
    status,
    headers,
    requestId,
    etag: headers.get('etag'),
    replayed: headers.get('idempotent-replayed') === 'true',
    attempts: known.attempts,
  };
  if (status === 304 && conditional) return { ...common, body: undefined, unchanged: true };
  if (!response.ok) return fail();
  const [method, path, trait] = route;
  if (trait === 'text' && status !== 204) return { ...common, body: text, unchanged: false };
  const parsed = status === 204 ? { value: undefined } : isJson(contentType) ? parse(text) : undefined;
  if (parsed === undefined) return fail();
  const faults = shapeFaults(known.operation, trait, text, parsed.value);
  if (faults.length > 0) return new ResponseShapeError(method, path, faults, circumstances);
  return { ...common, body: parsed.value, unchanged: false };
};

/** Where the answer of an operation holds a gate decision, as names with `/` between them; `*` matches each entry of a list. */
const DECISIONS: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  readGate: ['data/decision'],
  readReadiness: ['data/gate/decision'],
  readActiveReadiness: ['data/gate/decision'],
  askWhatIf: ['data/report/gate/decision', 'data/before/decision'],
  readPortfolio: ['data/*/readiness/decision'],
};

const WORDS: ReadonlySet<unknown> = new Set(['go', 'hold', 'unknown']);

/** JSON Pointers below `value` where a decision is missing. A null `readiness` is right: there is no active release. */
const missingDecisions = (value: unknown, [name, ...rest]: readonly string[], at = ''): readonly string[] => {
  if (name === undefined) return WORDS.has(value) ? [] : [at];
  if (name === '*')
    return Array.isArray(value) ? value.flatMap((one, index) => missingDecisions(one, rest, `${at}/${index}`)) : [at];
  const member = memberOf(value, name);
  return name === 'readiness' && member === null ? [] : missingDecisions(member, rest, `${at}/${name}`);
};

const pageFaults = (value: unknown, trait: 'paged' | 'pageable'): readonly string[] => {
  const cursor = memberOf(value, 'next_cursor');
  if (trait === 'pageable' && cursor === undefined) return [];
  return [
    ...(Array.isArray(memberOf(value, 'data')) ? [] : ['/data']),
    ...(cursor === null || typeof cursor === 'string' ? [] : ['/next_cursor']),
  ];
};

const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, one) => sum + membersIn(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
};

/** Whether JSON names a member of one object twice. Readers differ in which they take, so neither can be trusted. */
const isAmbiguous = (text: string, value: unknown): boolean => {
  try {
    return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon).length !== membersIn(value);
  } catch {
    // Too deep or too long to be checked. An error here would be reported as a failed connection, but an answer came.
    return true;
  }
};

/**
 * Returns the JSON Pointers of needed members that are missing: rows and cursor of a page, a decision of the gate.
 * Returns an empty pointer where the text of a decision names a member twice, or is too deep or too long to check. Unknown
 * members are no fault.
 */
export const shapeFaults = (
  operation: OperationId,
  trait: Route[2],
  text: string,
  value: unknown,
): readonly string[] => {
  const ofPage = trait === 'paged' || trait === 'pageable' ? pageFaults(value, trait) : [];
  const paths = DECISIONS[operation];
  if (paths === undefined) return ofPage;
  if (isAmbiguous(text, value)) return [''];
  return [...new Set([...ofPage, ...paths.flatMap((path) => missingDecisions(value, path.split('/')))])];
};

/** What `Retry-After` asks for, in milliseconds; null when it is missing or makes no sense. Dates are read by the answer's own clock. */
export const retryAfter = (headers: Headers): number | null => {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (sent || performance.timeOrigin + performance.now()));
};

const isProblemBody = (value: unknown): value is Problem =>
  typeof memberOf(value, 'type') === 'string' && typeof memberOf(value, 'status') === 'number';

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const isJson = (contentType: string | null): boolean => /^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '');

type Known = Pick<Circumstances, 'operation' | 'attempts' | 'idempotencyKey'> & {
  readonly route: Route;
  /** Whether the request named an ETag, so that 304 answers it. */
  readonly conditional: boolean;
};

/** Most bytes of an answer that are read: 32 MiB, after decompression. */
export const MOST_ANSWER_BYTES = 32 * 2 ** 20;

/**
 * Returns the body of an answer as text; undefined when it is longer than MOST_ANSWER_BYTES, and reading stops there. Memory
 * stays bounded even when the length header is wrong or the body is compressed.
 */
export const readText = async (response: Response): Promise<string | undefined> => {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MOST_ANSWER_BYTES) {
      // Whether the cancellation succeeds does not matter.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
};
