import {
  assessRelease,
  DEFAULT_POLICY,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '@shipworthy/domain/readiness';
import type { Judged } from '../../src/routes/report-form.js';

export const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

/** When the issues were last known, where that is told. */
export const ISSUES_AS_OF = Date.UTC(2026, 10, 21, 14, 3, 59, 123);

/** Nothing is known. */
export const NO_FACTS: ReleaseFacts = {
  scope: { done: 0, total: 0 },
  quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 0, total: 0, openItems: [] },
  verification: null,
  stability: { succeeded: 0, failed: 0, inProgress: 0 },
};

/** Something is known of every axis. */
export const FACTS: ReleaseFacts = {
  scope: { done: 2, total: 3 },
  quality: { resolved: 1, total: 2, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 3, openItems: ['Docs', 'Rollback'] },
  verification: { passed: 410, total: 412, ranAt: 500, suite: 'unit', commitSha: null, runs: 1 },
  stability: { succeeded: 9, failed: 1, inProgress: 2 },
};

/** A release judged at the moment 1000. */
export const judged = (
  facts: ReleaseFacts,
  policy: Policy = DEFAULT_POLICY,
  waivers: readonly Waiver[] = [],
): Judged => ({
  project: { id: ID, name: 'checkout' },
  release: { id: ID, name: '2.4', state: 'active' },
  frozenAt: null,
  report: assessRelease(facts, policy, 1000, waivers),
});
