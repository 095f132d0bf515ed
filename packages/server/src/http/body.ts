import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** The caller left before its body was complete, so no answer can be sent. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** Bytes of a refused body that are still read and dropped, so that its sender gets to read the answer. */
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

const RAW_BODY_NOT_KEPT =
  'The program around this service read the body before the service could. Hand the request over before any body parser, or keep its bytes as they arrived in request.rawBody, as a Buffer, Uint8Array or string.';

/** Whether another reader has taken the body or a part of it, or nothing more of it can arrive. */
const isReadBefore = ({ readableDidRead, readableEnded, destroyed }: IncomingMessage): boolean =>
  readableDidRead || readableEnded || destroyed;

/** The bytes that the surrounding program kept, in the form that body parsers leave them in; undefined: it kept none. */
const rawBodyOf = ({ rawBody }: IncomingMessage & { readonly rawBody?: unknown }): Buffer | undefined => {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (!(rawBody instanceof Uint8Array)) return undefined;
  return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
};

const keptBody = (request: IncomingMessage, limit: number, takeRoom: TakeRoom): Buffer => {
  // A caller that leaves destroys the request before its end; a body parser's `for await` destroys it after its end.
  const isGone = request.destroyed && !(request.complete && request.readableEnded);
  if (isGone) throw new RequestAborted('The request was aborted.');
  const announced = request.headers['content-length'];
  const kept = rawBodyOf(request);
  if (kept === undefined && announced === undefined && !request.readableDidRead) return NOTHING;
  if (kept === undefined) throw consumed(RAW_BODY_NOT_KEPT);
  // A body that was parsed and serialised again has other bytes: its signature and fingerprint would be wrong.
  if (announced !== undefined && Number(announced) !== kept.length)
    throw consumed(
      `request.rawBody has ${kept.length} bytes where Content-Length says ${announced}: keep the bytes as they arrived. ${RAW_BODY_NOT_KEPT}`,
    );
  const problem = kept.length > limit ? tooLarge(limit) : takeRoom(kept.length);
  if (problem !== null) throw problem;
  return kept;
};

/** Takes room for this many more bytes of a body; returns why there is none, else null. */
type TakeRoom = (bytes: number) => Problem | null;

/**
 * Reads the raw body, sent whole or in chunks. If the surrounding program has read it, returns the bytes kept in
 * `rawBody`.
 * @throws Problem `body-too-large` beyond `limit` bytes, `body-consumed` where it was read and not kept, the problem of
 * `takeRoom`; RequestAborted when the caller goes away
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

/** Deeper than any body of the interface; deeper ones are refused before anything reads them. */
const DEEPEST = 32;

/**
 * Most values in a body, many times what any body of the interface holds. `JSON.parse` of a million tiny objects or
 * lists holds the thread for longer than anything that is done with a body.
 */
const MOST_PARTS = 60_000;
/** An object or list counts as this many values more, since it takes as long to parse. */
const PARTS_OF_OBJECT = 3;
/**
 * Most members of one object, many times what any object of the interface or a repository host has. Reading the names
 * of tens of thousands takes long.
 */
const MOST_MEMBERS = 1_000;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The index of the closing quote; the text's length where there is none. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
};

const nameOf = (text: string, from: number, to: number): string => {
  const name = text.slice(from + 1, to);
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
};

/** The name of a member that appears twice in one object; undefined: there is none. */
const repeatedName = (text: string): string | undefined => {
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let nameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (nameNext && names !== null) {
        const name = nameOf(text, at, end);
        if (names.has(name)) return name;
        names.add(name);
        nameNext = false;
      }
      at = end;
    } else if (code === COMMA) nameNext = names !== null;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      names = code === OPEN_BRACE ? new Set() : null;
      nameNext = names !== null;
      open.push(names);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      names = open.at(-1) ?? null;
      nameNext = false;
    }
  }
  return undefined;
};

/** What a text of JSON holds. */
interface Extent {
  /** Values, of which an object or list counts as three more. */
  readonly parts: number;
  readonly deepest: number;
  /** Members of all objects together. */
  readonly named: number;
  /** Members of the object that has the most. */
  readonly widest: number;
}

/** Counts what a text of JSON holds without parsing it; of a malformed text, what it seems to hold. */
const extentOf = (text: string): Extent => {
  let [parts, deepest, named, depth, widest] = [1, 0, 0, 0, 0];
  /** Members of the objects that are open, from the outermost one; those too deep are not counted. */
  const members = new Array<number>(DEEPEST + 1).fill(0);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) parts += 1;
    else if (code === COLON) {
      named += 1;
      const here = (members[depth] ?? 0) + 1;
      if (depth <= DEEPEST) members[depth] = here;
      if (here > widest) widest = here;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      parts += PARTS_OF_OBJECT;
      depth += 1;
      if (depth <= DEEPEST) members[depth] = 0;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // A malformed text may close more than it opened.
      depth = Math.max(0, depth - 1);
    }
  }
  return { parts, deepest, named, widest };
};

const refuseParts = (parts: number): void => {
  if (parts <= MOST_PARTS) return;
  throw new Problem('body-too-large', `The body may hold ${MOST_PARTS} values at most, and fewer objects and lists.`);
};

/**
 * Returns the counts of a text. @throws Problem `body-too-large` when `JSON.parse` would take too long,
 * `malformed-json` when it is nested too deep
 */
const checkedExtent = (text: string): Extent => {
  const extent = extentOf(text);
  if (extent.deepest > DEEPEST)
    throw new Problem('malformed-json', `The body is nested deeper than ${DEEPEST} levels.`);
  refuseParts(extent.parts);
  if (extent.widest > MOST_MEMBERS)
    throw new Problem('body-too-large', `An object in the body may have ${MOST_MEMBERS} members at most.`);
  return extent;
};

/**
 * Refuses a raw body that its later reader would parse for too long. @throws Problem `body-too-large`, `malformed-json`
 */
export const checkRawExtent = (raw: Buffer): void => void checkedExtent(raw.toString('latin1'));

/** Refuses lines that together would take too long to parse. @throws Problem `body-too-large` */
export const checkLines = (lines: readonly string[]): void =>
  refuseParts(lines.reduce((parts, line) => parts + extentOf(line).parts, 0));

/** Counts the members of all objects in a value of JSON, at every depth. */
const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) members += membersOf(one);
  return members;
};

/**
 * Refuses a member that is named twice in one object: JSON.parse would silently keep the last one only.
 * @param text well-formed JSON
 * @param named how many members it names: if the value has fewer, one appears twice
 * @throws Problem `malformed-json`
 */
const refuseRepeats = (text: string, named: number, value: unknown): void => {
  if (named === membersOf(value)) return;
  const name = repeatedName(text) ?? '';
  throw new Problem('malformed-json', `The member "${name.slice(0, 100)}" is given twice in one object.`);
};

/**
 * How many characters of a body are searched for the place of a syntax error. The search reads each up to 17 times, and
 * every line of a batch may have an error.
 */
const SEARCHED_AT_MOST = 64 * 1024;

const failureOf = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

/** Whether the beginning of a text could still become JSON: it only ends too early. */
const endsTooEarly = (beginning: string): boolean => {
  const failure = failureOf(beginning);
  if (failure === null || /^(Unexpected end|Unterminated string)/.test(failure)) return true;
  return Number(/position (\d+)/.exec(failure)?.[1] ?? -1) === beginning.length;
};

/** Length of the longest beginning that could still become JSON; the parser does not name the place of every fault. */
const breakingPoint = (text: string): number => {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (endsTooEarly(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
};

const place = (text: string): string => {
  if (text.trim() === '') return ' It is empty.';
  const at = breakingPoint(text);
  if (at === text.length) return ' It ends too early.';
  const lines = text.slice(0, at).split('\n');
  return ` It breaks at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`;
};

/**
 * Creates the reader of the JSON texts of one body. The reader returns the value of a text.
 * @throws Problem (the reader) `body-too-large` for too many values, or too many members in one object; `malformed-json` that
 * names a member that appears twice, says that the text is nested too deep, or gives line and column of the syntax error.
 * Line and column are missing once 64 Ki characters of the body were searched for errors.
 */
export const createStrictReader = (): ((text: string) => unknown) => {
  let searched = 0;
  const placeIn = (text: string): string => {
    if (searched + text.length > SEARCHED_AT_MOST) return '';
    searched += text.length;
    return place(text);
  };
  return (text) => {
    const { named } = checkedExtent(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Problem('malformed-json', `The body is not well-formed JSON.${placeIn(text)}`);
    }
    refuseRepeats(text, named, value);
    return value;
  };
};

/** Reads a body that is one text of JSON. @throws Problem as `createStrictReader` says */
export const parseStrictJson = (text: string): unknown => createStrictReader()(text);
