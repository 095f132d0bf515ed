import type { IssueEvent } from '@shipworthy/domain';
import { analyseRelease, type ReleaseAnalysis, type ReleaseRecord } from '@shipworthy/domain/analysis';
import { NOON } from '../harness/test-clock.js';

export const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
export const HOUR = 3_600_000;
const event = (issueId: string, kind: IssueEvent['kind'], at: number): IssueEvent => ({
  issueId,
  releaseId: ID,
  at,
  kind,
  type: 'bug',
});

const RELEASE: ReleaseRecord = {
  id: ID,
  name: '=2.4',
  startsAt: NOON,
  shippedAt: NOON + 4 * HOUR,
  canceledAt: null,
  events: [event('a', 'added', NOON - HOUR), event('b', 'added', NOON + HOUR), event('a', 'done', NOON + HOUR)],
  deployments: { succeeded: 2, failed: 1 },
  first: { startedAt: NOON + 2 * HOUR, succeededAt: NOON + 3 * HOUR },
};
const EARLIER: ReleaseRecord = {
  ...RELEASE,
  name: '2.3, the "big" one',
  startsAt: null,
  shippedAt: NOON,
  events: [],
  deployments: { succeeded: 0, failed: 0 },
  first: { startedAt: null, succeededAt: null },
};

/** A release that shipped, beside one of which nothing is known. */
export const ANALYSIS: ReleaseAnalysis = analyseRelease(
  RELEASE,
  { from: null, to: null, step: 'change' },
  NOON + 9 * HOUR,
  [EARLIER],
);
