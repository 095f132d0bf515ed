import * as fc from 'fast-check';
import type { Template } from './template.js';
import { UNKNOWN } from './texts.js';

export type Pair<Value> = readonly [name: string, value: Value];

/** Ids and words that are none, and what could lead out of a path. */
const STRAYS = [
  UNKNOWN,
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

/** The so-manieth parameter of a path as it is not meant. */
export const strays = fc.record({ at: fc.nat(4), text: fc.constantFrom(...STRAYS) });

/** Headers that are spoilt, out of place or of another caller. */
export const ODD_HEADERS: fc.Arbitrary<Pair<string>> = fc.constantFrom<Pair<string>[]>(
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', 'a b'],
  ['Idempotency-Key', 'caf\u00e9'],
  ['If-Match', '*'],
  ['If-Match', 'W/"1"'],
  ['If-Match', '1'],
  ['If-Match', '"99999999999999999999"'],
  ['If-None-Match', '"'],
  ['X-Request-Id', 'x'.repeat(4000)],
  ['X-Request-Id', '<script>'],
  ['traceparent', '00-zz-00-00'],
  ['X-Forwarded-For', '127.0.0.1, ::1, unknown'],
  ['X-Forwarded-For', '%00'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Origin', 'https://evil.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'gzip;q=x'],
  ['Range', 'bytes=0-0'],
  ['Last-Event-ID', 'x'],
  ['Cookie', 'a=b; shipworthy_session='],
  ['Content-Type', 'application/json; charset=utf-16'],
);

/** Parameters of queries that no list knows, or knows otherwise. */
export const ODD_QUERIES: fc.Arbitrary<Pair<Template>> = fc.constantFrom<Pair<Template>[]>(
  ['limit', '0'],
  ['limit', '-1'],
  ['limit', '1e3'],
  ['limit', '9'.repeat(400)],
  ['limit', ''],
  ['cursor', 'eyJhIjoxfQ'],
  ['cursor', 'x'.repeat(3000)],
  ['cursor', '\u0000'],
  ['as_of', '2026-02-30T00:00:00Z'],
  ['from', '9999-12-31T23:59:59Z'],
  ['to', '1970-01-01T00:00:00Z'],
  ['surplus', '1'],
  ['__proto__', '1'],
  ['constructor', 'x'],
  ['state', '\ufffd'],
  ['release_id', 'null'],
);
