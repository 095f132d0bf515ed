import type { Fault } from './fault.js';
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
  /** Path parameters that are given literally, by their position in the path. */
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
