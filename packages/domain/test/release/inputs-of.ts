import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import type { Waiver } from '../../src/readiness/waiver.js';
import type { ReleaseInputs } from '../../src/release/facts.js';
import { releaseOf } from './release-of.js';

export const HOUR = 3_600_000;

/** Inputs that changed at 1,000 and whose latest run ran at 1,000. */
export const inputsOf = (policy: Partial<Policy> = {}, waivers: readonly Waiver[] = []): ReleaseInputs => ({
  release: releaseOf({ state: 'active', startsAt: 0 }),
  project: { id: 'p1', teamId: 't1', name: 'Shop' },
  facts: {
    scope: { done: 2, total: 3 },
    quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
    ops: { done: 3, total: 3, openItems: [] },
    verification: { passed: 99, total: 100, ranAt: 1_000, suite: null, commitSha: null, runs: 1 },
    stability: { succeeded: 9, failed: 1, inProgress: 0 },
  },
  policy: { policy: { ...DEFAULT_POLICY, ...policy }, version: 1, changedAt: 0, changedBy: null },
  waivers,
  revision: { revision: 4, changedAt: 1_000 },
});

/** A waiver of the score as it is at 500. */
export const waiverOf = (expiresAt: number): Waiver => ({
  id: 'w1',
  releaseId: 'r1',
  code: 'score_below_threshold',
  axis: null,
  text: 'Accepted.',
  actual: 50,
  createdBy: 'Ada',
  createdAt: 500,
  expiresAt,
  withdrawnAt: null,
  withdrawnBy: null,
});
