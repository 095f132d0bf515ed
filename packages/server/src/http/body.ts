import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** The caller went away before its body was there; nobody is left to be answered. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** How much of a body that is too large is still taken in, so that its sender gets to read the answer. */
const DISCARDED_AT_MOST = 8 * 1024 * 1024;
const DISCARDED_FOR_MS = 1000;

const NOTHING = Buffer.alloc(0);

const tooLarge = (limit: number): Problem =>
  new Problem('body-too-large', `The body may have ${limit} bytes at most.`, { headers: { Connection: 'close' } });

const discard = (request: IncomingMessage, answer: () => void): void => {
  let discarded = 0;
  const timer = setTimeout(answer, DISCARDED_FOR_MS);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_AT_MOST) answer();
  });
  request.once('end', answer);
  request.once('close', () => clearTimeout(timer));
};

/** Whether the request announces a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Room for a body: takes so many bytes more, or says why there is none. */
export type TakeRoom = (bytes: number) => Problem | null;

/**
 * The raw body, sent whole or in chunks.
 * @throws Problem `body-too-large` beyond `limit` bytes, what `takeRoom` says, RequestAborted when the caller goes away
 */
export const readBody = (request: IncomingMessage, limit: number, takeRoom: TakeRoom): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (!hasBody(request)) {
      resolve(NOTHING);
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const onEnd = (): void => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const refuse = (problem: Problem): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      chunks.length = 0;
      discard(request, () => reject(problem));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      const problem = size > limit ? tooLarge(limit) : takeRoom(chunk.length);
      if (problem === null) chunks.push(chunk);
      else refuse(problem);
    };
    const onAbort = (): void => {
      if (!request.complete) reject(new RequestAborted('The request was aborted.'));
    };
    request.once('close', onAbort);
    request.once('error', onAbort);
    request.on('data', onData);
    request.once('end', onEnd);
    if (Number(request.headers['content-length'] ?? 0) > limit) refuse(tooLarge(limit));
  });

/** `application/json` or, where records come one per line, `application/x-ndjson`. */
export type BodyFormat = 'json' | 'ndjson';

const unsupported = (detail: string): Problem => new Problem('unsupported-media-type', detail);

/** How the body is written; `others` are further types of JSON. @throws Problem `unsupported-media-type` for another type, charset or encoding */
export const bodyFormat = (
  { headers }: IncomingMessage,
  batch: boolean,
  others: readonly string[] = [],
): BodyFormat => {
  const type = headers['content-type'] ?? '';
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw unsupported('The body must not be compressed: leave Content-Encoding out.');
  if (type === 'application/json') return 'json';
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) throw unsupported('The body must be UTF-8.');
  const name = essence.trim();
  if (name === 'application/json' || others.includes(name)) return 'json';
  if (batch && (name === 'application/x-ndjson' || name === 'application/ndjson')) return 'ndjson';
  throw unsupported(
    batch ? 'Send Content-Type: application/json or application/x-ndjson.' : 'Send Content-Type: application/json.',
  );
};

/** The body as text. @throws Problem `malformed-json` when it is not UTF-8 */
export const bodyText = (raw: Buffer): string => {
  if (!isUtf8(raw)) throw new Problem('malformed-json', 'The body is not well-formed UTF-8.');
  return raw.toString('utf8');
};
