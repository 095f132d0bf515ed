import type { CallOptions } from './call.js';
import { pathAt } from './contract/path.js';
import type { Route } from './routes.js';
import type { Settings } from './settings.js';

/** A call's input as the table-driven client sees it. */
export interface RawInput extends CallOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: number | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A request ready to be sent, as often as need be. */
export interface ReadyRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly idempotencyKey: string | null;
}

const fillPath = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // Dots alone would be resolved away and reach another address.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`path.${name} is missing.`);
    return encodeURIComponent(value);
  });

const queryText = (query: Readonly<Record<string, unknown>> = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Writes the input as an HTTP request. TypeError when a path parameter is missing. */
export const prepare = ([method, path, trait]: Route, input: RawInput, settings: Settings): ReadyRequest => {
  const idempotencyKey = trait === 'keyed' ? (input.idempotencyKey ?? newKey()) : null;
  const { body, ifMatch, ifNoneMatch } = input;
  const headers = {
    ...input.headers,
    ...settings.headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
  return {
    url: settings.base + fillPath(pathAt(path, settings.repositoryHost), input.path) + queryText(input.query),
    idempotencyKey,
    init: {
      method,
      headers,
      // Following would hand the key and the body to whatever address the answer names.
      redirect: 'manual',
      ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
};
