import type { Fault } from '@shipworthy/adapters/test-host';

const SOON_MS = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** What befalls a host: a fault, or that nobody can reach it. */
export interface HostFault {
  readonly title: string;
  readonly fault: () => Fault | 'shut';
  /** It is told from a slow host only by waiting as long as anybody is ready to. */
  readonly waits?: true;
}

const answer = (status: number, body: string, type = JSON_TYPE): Fault => ({ kind: 'answer', status, type, body });

/** Everything a host may do wrong that says nothing against a grant. */
export const HOST_FAULTS: readonly HostFault[] = [
  { title: 'slow by 20 s', fault: () => ({ kind: 'delay', ms: 20_000 }), waits: true },
  { title: 'answers byte by byte', fault: () => ({ kind: 'drip', ms: 500 }), waits: true },
  { title: 'answers without an end', fault: () => ({ kind: 'endless' }), waits: true },
  { title: 'takes the request and says nothing', fault: () => ({ kind: 'hang' }), waits: true },
  { title: 'cannot be reached', fault: () => 'shut' },
  { title: 'resets connections', fault: () => ({ kind: 'reset' }) },
  { title: 'breaks off its answers', fault: () => ({ kind: 'cut' }) },
  { title: 'ends JSON in the middle', fault: () => ({ kind: 'half-json' }) },
  { title: '500 in JSON', fault: () => ({ kind: 'error', status: 500 }) },
  { title: '502 as a page', fault: () => ({ kind: 'page', status: 502 }) },
  { title: '503 with Retry-After', fault: () => answer(503, '{"message":"Down for a moment"}') },
  { title: 'a page with 200', fault: () => ({ kind: 'page', status: 200 }) },
  { title: 'a page with 401, as a proxy in between gives', fault: () => ({ kind: 'page', status: 401 }) },
  { title: 'a page with 403', fault: () => ({ kind: 'page', status: 403 }) },
  { title: '407 in JSON', fault: () => answer(407, '{"message":"Proxy Authentication Required"}') },
  { title: 'JSON under another type', fault: () => answer(200, '{"id":1,"login":"ada"}', 'text/plain') },
  { title: 'a list where an object belongs', fault: () => answer(200, '[]') },
  { title: 'null', fault: () => answer(200, 'null') },
  { title: 'fields of other types', fault: () => answer(200, '{"id":"one","login":7}') },
  { title: 'brackets without an end', fault: () => answer(200, '['.repeat(100_000)) },
  { title: 'leads to another origin', fault: () => ({ kind: 'redirect-outside' }) },
  { title: 'leads in circles', fault: () => ({ kind: 'redirect-inside' }) },
  { title: 'its hourly limit is used up', fault: () => ({ kind: 'primary-limit', resetAt: Date.now() + SOON_MS }) },
  { title: '429 with Retry-After', fault: () => ({ kind: 'secondary-limit', retryAfterSeconds: 1 }) },
  { title: '403 with Retry-After', fault: () => ({ kind: 'secondary-limit', retryAfterSeconds: 1, status: 403 }) },
  { title: '403 that refuses in JSON', fault: () => ({ kind: 'error', status: 403 }) },
];
