import * as fc from 'fast-check';
import type { Step } from './step.js';

/** Time that goes by. */
export const waits: fc.Arbitrary<Step> = fc
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
