import { SHOP, type TestHost } from '../harness/test-host.js';
import type { Cast } from './cast.js';
import { HOST, type Message } from './connection.js';
import type { Operation } from './description.js';
import { withFault } from './fault.js';
import type { Knowledge } from './knowledge.js';
import type { Manner, Request } from './step.js';
import { filled, type Template } from './template.js';
import { UNKNOWN } from './texts.js';

/** The route that takes webhooks of the repository host. */
export const HOOK_BODY: Template = { repository: SHOP.id };

/** What a request is made from beside its step. */
export interface Surroundings {
  readonly cast: Cast;
  readonly knowledge: Knowledge;
  readonly forge: TestHost;
  readonly now: () => number;
  /** The place of the request in its sequence. */
  readonly nth: number;
}

/** A request as it is sent, with what it means. */
export interface Composed {
  readonly message: Message;
  readonly path: Readonly<Record<string, string>>;
  /** The value of the body, where the body is well-formed JSON. */
  readonly value?: { readonly sent: unknown };
}

const BODY_LIMIT = 2_097_152;

const linesOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((each) => JSON.stringify(each)).join('\n') : (JSON.stringify(value) ?? '');

const SPOILT: Readonly<Record<string, (text: string) => Buffer>> = {
  'cut off': (text) => Buffer.from(text.slice(0, text.length / 2)),
  'bad UTF-8': (text) =>
    Buffer.concat([Buffer.from(text.slice(0, 5)), Buffer.from([0xed, 0xa0, 0x80, 0xff]), Buffer.from(text)]),
  'member twice': (text) => Buffer.from(text.replace(/^\{/, '{"a":1,"a":2,')),
  'too deep': () => Buffer.from('['.repeat(20_000)),
  'too large': (text) => Buffer.alloc(text.length % 7 === 0 ? BODY_LIMIT + 1 : 65_537, ' '),
  empty: () => Buffer.alloc(0),
  'byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  chunks: (text) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
  },
};

const TYPES: Partial<Record<Manner, readonly string[]>> = {
  lines: ['application/x-ndjson'],
  'no type': [],
  'other type': ['application/x-www-form-urlencoded'],
  'other charset': ['application/json; charset=latin1'],
};

const bodyOf = (value: unknown, manner: Manner) => {
  const text = manner === 'lines' ? linesOf(value) : (JSON.stringify(value) ?? 'null');
  const body = SPOILT[manner]?.(text) ?? Buffer.from(text);
  const length =
    manner === 'chunks'
      ? (['Transfer-Encoding', 'chunked'] as const)
      : (['Content-Length', String(body.length)] as const);
  const types = (TYPES[manner] ?? ['application/json']).map((type) => ['Content-Type', type] as const);
  const coding = manner === 'compressed' ? [['Content-Encoding', 'gzip'] as const] : [];
  return { body, headers: [...types, length, ...coding] };
};

/** Only characters that a header can hold, one byte each. */
const headerText = (value: unknown): string => String(value).replace(/[^\x20-\x7e\x80-\xff]/g, '_');

const queryText = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');

const wellFormed = (value: unknown): string => String(value).replace(/\p{Cs}/gu, '\ufffd');

/** Writes the request of a step down, with all placeholders filled in. */
export const compose = (operation: Operation, step: Request, surroundings: Surroundings): Composed => {
  const { cast, knowledge, forge, now, nth } = surroundings;
  const filling = { known: knowledge.known, now };
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ids = names.filter((name) => !Object.hasOwn(step.words, name));
  const place = knowledge.place(ids, step.place);
  const path: Record<string, string> = {};
  for (const name of names) path[name] = String(filled(step.words[name] ?? place[name] ?? UNKNOWN, filling));
  const written = new Map(names.map((name) => [name, encodeURIComponent(path[name] ?? '')]));
  for (const { at, text } of step.strays) {
    const name = names[at % names.length];
    if (name !== undefined) written.set(name, text);
  }
  const query = queryText(step.query.map(([name, value]) => [name, wellFormed(filled(value, filling))]));
  const target = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => written.get(name) ?? '');
  const headers: (readonly [string, string])[] = [HOST, ...cast.credentials(step.caller)];
  for (const [name, value] of step.headers) headers.push([name, headerText(filled(value, filling))]);
  const [, hooked = ''] = step.query.find(([name]) => name === 'project_id') ?? [];
  const signed = forge.delivery(SHOP.id, wellFormed(filled(hooked, filling)), `d${nth % 7}`);
  if (step.caller === 'signer') headers.push(...Object.entries(signed.headers));
  const message = { method: operation.method, target: query === '' ? target : `${target}?${query}` };
  if (step.body === undefined) return { message: { ...message, headers, body: null }, path };
  const value = step.faults.reduce(withFault, filled(step.body, filling));
  const { body, headers: more } = bodyOf(value, step.manner);
  return {
    message: { ...message, headers: [...headers, ...more], body },
    path,
    ...(step.manner === 'json' ? { value: { sent: value } } : {}),
  };
};
