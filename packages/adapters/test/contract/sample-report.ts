import type { GateChange, Project, Release } from '@shipworthy/domain';
import type { RecordedPoint } from '@shipworthy/domain/ports';
import type { FrozenReport, PolicyVersion } from '@shipworthy/domain/readiness';
import { AXES, DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { AWKWARD, NOON, sampleId, sampleWaiver } from './sample-records.js';

/** A frozen report with every kind of value in it; its numbers need not agree, a store only keeps them. */
export const sampleReport = (releaseId: string): FrozenReport => {
  const waivers = [sampleWaiver(releaseId, { text: AWKWARD })];
  const facts = {
    scope: { done: 2, total: 3 },
    quality: { resolved: 0, total: 1, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
    ops: { done: 0, total: 1, openItems: [AWKWARD] },
    verification: null,
    stability: { succeeded: 2 ** 31 - 1, failed: 0, inProgress: 0 },
    issuesAsOf: NOON - 1,
  };
  return {
    frozenAt: NOON,
    facts,
    policy: { policy: { ...DEFAULT_POLICY, environments: [AWKWARD] }, version: 3, changedAt: NOON, changedBy: AWKWARD },
    waivers,
    report: {
      asOf: NOON,
      formula: '1',
      score: 66.66,
      coverage: 1 / 3,
      axes: [
        {
          axis: 'scope',
          weight: 1,
          facts: facts.scope,
          explanation: AWKWARD,
          changeFailureRate: null,
          asOf: NOON - 1,
          state: 'measured',
          score: 66.66,
        },
      ],
      gate: {
        decision: 'hold',
        reasons: [
          { code: 'axis_unmeasured', axis: 'verification', actual: null, required: null, message: '?', waived: true },
        ],
        decisionWithoutWaivers: 'unknown',
        waivers,
        nextSteps: [{ axis: 'scope', action: 'close_issues', count: 1, gain: 0.1, message: AWKWARD }],
      },
    },
  };
};

/** A point of a release's trend, from before snapshots were kept. */
export const samplePoint = (releaseId: string, at: number, score: number | null = 66.66): RecordedPoint => ({
  releaseId,
  at,
  score,
  coverage: 1 / 3,
  decision: 'hold',
  axes: AXES.map((axis) => ({ axis, score: axis === 'scope' ? 33.33 : null })),
  causes: [{ kind: 'time_limit', id: releaseId, at }],
  causeCount: 2 ** 31 - 1,
  revision: 0,
  snapshot: null,
});

/** The same with all it was made of; the policy must be one the project has. */
export const sampleRecorded = (releaseId: string, at: number, policy: PolicyVersion): RecordedPoint => {
  const { facts, waivers } = sampleReport(releaseId);
  return {
    ...samplePoint(releaseId, at),
    revision: 7,
    snapshot: { project: { name: AWKWARD }, release: { name: AWKWARD, state: 'planned' }, facts, policy, waivers },
  };
};

/** A change of the release's gate with a reason. */
export const sampleGateChange = (
  { id: projectId, teamId }: Pick<Project, 'id' | 'teamId'>,
  { id: releaseId }: Pick<Release, 'id'>,
  over: Partial<GateChange> = {},
): GateChange => ({
  id: sampleId(),
  teamId,
  projectId,
  releaseId,
  at: NOON,
  before: 'go',
  after: 'hold',
  reason: { code: 'axis_below_minimum', axis: 'ops', actual: 33.33, required: 80, message: AWKWARD, waived: false },
  ...over,
});
