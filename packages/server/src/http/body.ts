import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** The caller left before its body was complete, so no answer can be sent. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** How much of a body that is too large is still taken in, so that its sender gets to read the answer. */
const DISCARDED_AT_MOST = 8 * 1024 * 1024;
const DISCARDED_FOR_MS = 1000;

const NOTHING = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

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

const consumed = (detail: string): Problem => new Problem('body-consumed', detail);

const NOT_KEPT =
  'The program around this service read the body before the service could. Hand the request over before any body parser, or keep its bytes as they arrived in request.rawBody, as a Buffer, Uint8Array or string.';

/** Whether the body, or a part of it, went to another reader, or can come no more. */
const isReadBefore = ({ readableDidRead, readableEnded, destroyed }: IncomingMessage): boolean =>
  readableDidRead || readableEnded || destroyed;

/** The bytes that the surrounding program kept, in the form that body parsers leave them in; undefined: it kept none. */
const rawBodyOf = ({ rawBody }: IncomingMessage & { readonly rawBody?: unknown }): Buffer | undefined => {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (!(rawBody instanceof Uint8Array)) return undefined;
  return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
};

const keptBody = (request: IncomingMessage, limit: number, takeRoom: TakeRoom): Buffer => {
  // A request that is destroyed before its end takes its connection along, a body parser's `for await` destroys it after that.
  const isGone = request.destroyed && !(request.complete && request.readableEnded);
  if (isGone) throw new RequestAborted('The request was aborted.');
  const announced = request.headers['content-length'];
  const kept = rawBodyOf(request);
  if (kept === undefined && announced === undefined && !request.readableDidRead) return NOTHING;
  if (kept === undefined) throw consumed(NOT_KEPT);
  // A body written anew has other bytes, of which neither signature nor fingerprint would be right.
  if (announced !== undefined && Number(announced) !== kept.length)
    throw consumed(
      `request.rawBody has ${kept.length} bytes where Content-Length says ${announced}: keep the bytes as they arrived. ${NOT_KEPT}`,
    );
  const problem = kept.length > limit ? tooLarge(limit) : takeRoom(kept.length);
  if (problem !== null) throw problem;
  return kept;
};

/** Room for a body: takes so many bytes more, or says why there is none. */
type TakeRoom = (bytes: number) => Problem | null;

/**
 * The raw body, sent whole or in chunks; where the surrounding program has read it, as it was kept in `rawBody`.
 * @throws Problem `body-too-large` beyond `limit` bytes, `body-consumed` where it was read and not kept, what `takeRoom` says,
 * RequestAborted when the caller goes away
 */
export const readBody = (request: IncomingMessage, limit: number, takeRoom: TakeRoom): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (!hasBody(request)) {
      resolve(NOTHING);
      return;
    }
    if (isReadBefore(request)) {
      resolve(keptBody(request, limit, takeRoom));
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

/** The body as text, without a byte order mark. @throws Problem `malformed-json` when it is not UTF-8 */
export const bodyText = (raw: Buffer): string => {
  if (!isUtf8(raw)) throw new Problem('malformed-json', 'The body is not well-formed UTF-8.');
  return raw.toString('utf8', raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? 3 : 0);
};
