import {
  type Axis,
  DEFAULT_POLICY,
  type PerAxis,
  type Policy,
  type ReadinessReport,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';

/** The moment the samples are judged at. */
export const NOW = Date.UTC(2024, 4, 1, 12);
export const HOUR = 3_600_000;
/** When the issues were last known, where that is told. */
export const ISSUES_AS_OF = Date.UTC(2024, 3, 30, 14, 3, 59, 999);

/** `other` further issues beside the bugs; bugs by what is open of them. */
export const issues = (
  done: number,
  total: number,
  bugs: { resolved?: number; critical?: number; major?: number; minor?: number; unspecified?: number } = {},
): Pick<ReleaseFacts, 'scope' | 'quality'> => {
  const { resolved = 0, critical = 0, major = 0, minor = 0, unspecified = 0 } = bugs;
  return {
    scope: { done, total },
    quality: {
      resolved,
      total: resolved + critical + major + minor + unspecified,
      open: { critical, major, minor, unspecified },
    },
  };
};

export const checklist = (done: number, total: number): ReleaseFacts['ops'] => ({
  done,
  total,
  openItems: Array.from({ length: Math.min(20, total - done) }, (_, index) => `Item ${index + 1}`),
});

export const testRun = (
  passed: number,
  total: number,
  more: Partial<ReleaseFacts['verification']> = {},
): NonNullable<ReleaseFacts['verification']> => ({
  passed,
  total,
  ranAt: NOW - HOUR,
  suite: null,
  commitSha: null,
  runs: 1,
  ...more,
});

export const deployments = (succeeded: number, failed: number, inProgress = 0): ReleaseFacts['stability'] => ({
  succeeded,
  failed,
  inProgress,
});

/** A release that may ship under the default policy: everything is at 100. */
export const READY: ReleaseFacts = {
  ...issues(12, 12),
  ops: checklist(3, 3),
  verification: testRun(412, 412),
  stability: deployments(20, 0),
};

/** A release of which nothing is known. */
export const EMPTY: ReleaseFacts = {
  ...issues(0, 0),
  ops: checklist(0, 0),
  verification: null,
  stability: deployments(0, 0),
};

export const ready = (changes: Partial<ReleaseFacts>): ReleaseFacts => ({ ...READY, ...changes });
export const policy = (changes: Partial<Policy>): Policy => ({ ...DEFAULT_POLICY, ...changes });
export const everyAxis = (value: number): PerAxis<number> => ({
  scope: value,
  quality: value,
  ops: value,
  verification: value,
  stability: value,
});
/** No minimum, nothing required, no limit of bugs: only the threshold is left. */
export const lenient = (changes: Partial<Policy> = {}): Policy =>
  policy({ minimums: everyAxis(0), requiredAxes: [], maxOpenCriticalBugs: null, ...changes });

export const waiver = (changes: Partial<Waiver>): Waiver => ({
  id: 'w1',
  releaseId: 'r1',
  code: 'score_below_threshold',
  axis: null,
  text: 'accepted for the launch',
  actual: 0,
  createdBy: 'Ada',
  createdAt: NOW - HOUR,
  expiresAt: NOW + HOUR,
  withdrawnAt: null,
  withdrawnBy: null,
  ...changes,
});

/** The score of an axis in a report, or the cause for which it has none. */
export const standing = (report: ReadinessReport, axis: Axis): number | string => {
  for (const reading of report.axes)
    if (reading.axis === axis) return reading.state === 'measured' ? reading.score : reading.cause;
  throw new Error(`no reading of ${axis}`);
};
