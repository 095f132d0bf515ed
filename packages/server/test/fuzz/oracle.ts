import { FORMATS } from '@shipworthy/client/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer, Message } from './connection.js';
import { type Described, type OpenApi, type Operation, schemaPointer } from './description.js';

/** What an answer must never show: where the service lies, what it is made of, how it asks its database. */
const INTERNALS = /\n\s+at |node_modules|file:\/\/|SQLITE_|\bselect .+ from |\binsert into |knex|ECONN|TypeError/;
/** Headers that every answer has. */
const ALWAYS = [
  'x-request-id',
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cache-control',
];
/** Headers an answer has where the document says so, and nowhere else. */
const EXACTLY = ['etag', 'www-authenticate', 'allow', 'content-disposition'];
/** Headers an answer may have where the document says so, and nowhere else. */
const AT_MOST = ['location', 'idempotent-replayed', 'link', 'set-cookie'];

/** Answers what is wrong with an answer; null: nothing. */
export interface Oracle {
  /** Of an answer of an operation to that request; `sent` is the body where it was JSON. */
  faultOf(operation: Operation, message: Message, answer: Answer, sent?: { readonly sent: unknown }): string | null;
  /** Of an answer where there is no operation. */
  faultOutside(message: Message, answer: Answer): string | null;
}

/** Bytes of the first line and headers that the server takes. */
const LONGEST_HEAD = 16_384;

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

const typeOf = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'type' in problem
    ? String(problem.type).replace('/api/docs/problems/', '')
    : '';

const headerFault = ({ headers: described }: Described, { headers, status }: Answer): string | null => {
  const missing = ALWAYS.find((name) => headers[name] === undefined);
  if (missing !== undefined) return `lacks ${missing}`;
  if ('server' in headers || 'x-powered-by' in headers) return 'says what it is made of';
  const differs = EXACTLY.find((name) => described.includes(name) !== name in headers);
  if (differs !== undefined) return `and the document differ in ${differs}`;
  const surplus = AT_MOST.find((name) => name in headers && !described.includes(name));
  if (surplus !== undefined) return `has a ${surplus}, which is not documented`;
  const waits = status === 429 || status === 503 || described.includes('retry-after');
  return waits && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '') ? 'does not say when to come again' : null;
};

const problemFault = (answer: Answer, target: string): string | null => {
  const { headers, status, text } = answer;
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return `is a ${headers['content-type']}`;
  const problem = JSON.parse(text);
  if (problem.status !== status) return `names the status ${problem.status}`;
  if (problem.instance !== pathOf(target)) return `names the path ${problem.instance}`;
  if (problem.request_id !== headers['x-request-id']) return 'names another request';
  if (typeOf(problem) === 'invalid' && !(problem.errors?.length > 0)) return 'names no fault';
  return INTERNALS.test(text) ? 'shows internals' : null;
};

/** Judges answers by the document alone, its schemas compiled once. */
export const createOracle = (document: OpenApi): Oracle => {
  // The document as a whole is no schema; the schemas in it are compiled strictly by the service itself.
  const ajv = new Ajv2020({ strict: false, formats: FORMATS, validateSchema: false });
  ajv.addSchema(document as object, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const fits = (pointer: string): ValidateFunction => {
    const found = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
    compiled.set(pointer, found);
    return found;
  };

  const bodyFault = (described: Described, { headers, text }: Answer): string | null => {
    const { type } = described;
    if (type === null) return text === '' ? null : 'has a body, which is not documented';
    if (!headers['content-type']?.startsWith(type)) return `is a ${headers['content-type']}, not a ${type}`;
    if (!/json$/.test(type)) return text === '' ? 'is empty' : null;
    const check = fits(schemaPointer(described));
    return check(JSON.parse(text)) ? null : `breaks its schema: ${ajv.errorsText(check.errors)}`;
  };

  /** Whether a body was taken that the document refuses; batches and foreign forms are judged record by record. */
  const takenFault = ({ id, body }: Operation, sent: { readonly sent: unknown }): string | null => {
    if (body === null || body.types.length > 1 || id === 'receiveHook') return null;
    const check = fits(body.pointer);
    return check(sent.sent) ? null : `took a body that the document refuses: ${ajv.errorsText(check.errors)}`;
  };

  return {
    faultOf: (operation, { target, method }, answer, sent) => {
      // The HTTP server itself says so, before there is an operation.
      if (answer.status === 431) return target.length > LONGEST_HEAD / 2 ? null : 'finds a short head too long';
      const described = operation.answers[answer.status];
      if (answer.status >= 500 || described === undefined) return `is a ${answer.status}`;
      const stream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      const own = headerFault(described, answer) ?? (stream ? null : bodyFault(described, answer));
      if (own !== null || method === 'HEAD') return own;
      if (answer.status < 400) return sent === undefined ? null : takenFault(operation, sent);
      const fault = problemFault(answer, target);
      if (fault !== null) return fault;
      const type = typeOf(JSON.parse(answer.text));
      return described.problems.includes(type) ? null : `is the problem ${type}, which is not documented`;
    },
    faultOutside: ({ method, target }, answer) => {
      const { status, headers, text } = answer;
      if (status >= 500) return `is a ${status}`;
      if (INTERNALS.test(text) && status >= 400) return 'shows internals';
      if (status === 405 && headers.allow === undefined) return 'does not say what is allowed';
      if (status < 400 || method === 'HEAD') return null;
      return target.startsWith('/') ? problemFault(answer, target) : null;
    },
  };
};
