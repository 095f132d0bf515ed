import type { ReleaseRecord } from '../../src/analysis/analyse-release.js';

/** A record of release r1 with nothing in it, and what is said otherwise. */
export const record = (over: Partial<ReleaseRecord> = {}): ReleaseRecord => ({
  id: 'r1',
  name: '1.0',
  startsAt: null,
  shippedAt: null,
  canceledAt: null,
  events: [],
  deployments: { succeeded: 0, failed: 0 },
  first: { startedAt: null, succeededAt: null },
  ...over,
});
