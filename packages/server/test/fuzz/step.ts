import * as fc from 'fast-check';
import { type Fault, faults } from './fault.js';
import type { Known, Template } from './template.js';

/** Who makes a request. */
export const CALLERS = [
  'owner',
  'member',
  'viewer',
  'outsider',
  'leaver',
  'administrator',
  'owner of another page',
  'pipeline',
  'reader',
  'key of the viewer',
  'key of the outsider',
  'key of another team',
  'revoked key',
  'key just made',
  'wrong key',
  'no bearer',
  'odd cookie',
  'signer',
  'metrics',
  'nobody',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** How a body is written down. */
export const MANNERS = [
  'json',
  'lines',
  'cut off',
  'bad UTF-8',
  'member twice',
  'too deep',
  'too large',
  'empty',
  'byte order mark',
  'chunks',
  'compressed',
  'no type',
  'other type',
  'other charset',
] as const;
export type Manner = (typeof MANNERS)[number];

/** One request to an operation of the document. */
export interface Request {
  readonly kind: 'request';
  readonly operation: string;
  readonly caller: CallerName;
  /** Which of the known places it is about, 0 the newest. */
  readonly place: number;
  /** Path parameters that are given as they stand here: the so-manieth of the path. */
  readonly strays: readonly { readonly at: number; readonly text: string }[];
  /** Path parameters that are words. */
  readonly words: Readonly<Record<string, Template>>;
  readonly query: readonly (readonly [name: string, value: Template])[];
  readonly headers: readonly (readonly [name: string, value: string | Known])[];
  readonly body: Template | undefined;
  readonly manner: Manner;
  readonly faults: readonly Fault[];
}

/** Time goes by. */
export interface Wait {
  readonly kind: 'wait';
  readonly ms: number;
}
/** A request to something that is no operation. */
export interface Outside {
  readonly kind: 'outside';
  readonly method: string;
  readonly path: string;
}
/** The demo is added, unless it is there. */
export interface Demo {
  readonly kind: 'demo';
}
/** So many requests are sent at the same time at most. */
export const AT_ONCE = 4;

/** Several requests at the same time. */
export interface Burst {
  readonly kind: 'burst';
  readonly requests: readonly Request[];
}
export type Step = Request | Wait | Outside | Demo | Burst;

/** Ids and words that are none, and what could lead out of a path. */
const STRAYS = [
  '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'checkout',
  '1',
  '-1',
  '%00',
  '%ff',
  '%E0%A4%A',
  '..%2f..',
  '%2e%2e',
  ';a=b',
  "'%20or%201=1",
  '__proto__',
  '{team_id}',
  '*',
  '%F0%9F%9A%80',
  'x'.repeat(5000),
] as const;
export const strays = fc.record({ at: fc.nat(4), text: fc.constantFrom(...STRAYS) });

const waits: fc.Arbitrary<Step> = fc
  .constantFrom(1, 1000, 61_000, 3_600_000, 9 * 3_600_000)
  .map((ms) => ({ kind: 'wait', ms }));

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
const PATHS = [
  '/',
  '//',
  '/api',
  '/api/',
  '/API/teams',
  '/api/teams/',
  '/api//teams',
  '/api/teams/..',
  '/api/teams%2f',
  '/api/teams;a',
  '/api/teams/%00',
  '/api/%ff',
  '/api/settings/gitlab',
  '/api/docs/problems/invalid',
  '/api/docs/problems/__proto__',
  '/api/docs/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/favicon.ico',
  '/livez/',
  '/metrics',
  '*',
  'http://other.example/api/teams',
  `/${'a/'.repeat(500)}`,
];

/** Requests to what is no operation: other methods, other paths. */
export const outsides = (paths: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant('outside' as const),
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...PATHS, ...paths),
  });

export { faults, waits };
