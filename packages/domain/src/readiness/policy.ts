import { AXES, type Axis, type PerAxis } from './axis.js';

/** What a project demands of a release. */
export interface Policy {
  /** Whole numbers 0-1000. An axis of weight 0 is shown, but enters neither score, coverage, minimums nor what is required. */
  readonly weights: PerAxis<number>;
  /** Least readiness score, 0-100, at most two decimals. */
  readonly threshold: number;
  /** Least score per axis, 0-100, at most two decimals. */
  readonly minimums: PerAxis<number>;
  /** Axes that must be measured. */
  readonly requiredAxes: readonly Axis[];
  /** Environments whose deployments count, compared exactly; null: all. */
  readonly environments: readonly string[] | null;
  /** How old the test run may be, in hours, counted in whole minutes; null: any age. */
  readonly freshnessHours: number | null;
  readonly verification: 'latest_run' | 'latest_per_suite';
  /** Most open critical bugs, whatever the weight of quality is; null: not limited. */
  readonly maxOpenCriticalBugs: number | null;
  /** Finished deployments needed before stability is measured, at least 1. */
  readonly minFinishedDeployments: number;
  /**
   * What the minimum of stability is demanded of: `rate` (as missing): 100 * (1 - change failure rate), the axis' score;
   * `upper_bound`: 100 * (1 - upper bound of the rate's 95 % interval), so that few deployments prove little.
   */
  readonly stabilityBound?: 'rate' | 'upper_bound';
  /** After how many hours without a deployment or a test run its source counts as silent; null or missing: its usual rhythm alone tells. */
  readonly silenceHours?: number | null;
}

const MS_PER_MINUTE = 60_000;

/** A limit of the policy (hours above 0, fractions allowed) in milliseconds: whole minutes, the nearest, at least one. */
export const limitMs = (hours: number): number => Math.max(1, Math.round(hours * 60)) * MS_PER_MINUTE;

/** The part of a policy that decides which records count; all else judges what was counted. */
export type CountingRules = Pick<Policy, 'environments' | 'verification'>;

/** A policy as it was at one time: every change makes a new version, from 1. */
export interface PolicyVersion {
  readonly policy: Policy;
  readonly version: number;
  readonly changedAt: number;
  /** Name of the person who changed it; null: the defaults the project was created with. */
  readonly changedBy: string | null;
}

export const DEFAULT_POLICY: Policy = Object.freeze({
  weights: Object.freeze({ scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 }),
  threshold: 80,
  minimums: Object.freeze({ scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 }),
  requiredAxes: Object.freeze([...AXES]),
  environments: null,
  freshnessHours: null,
  verification: 'latest_run',
  maxOpenCriticalBugs: 0,
  minFinishedDeployments: 1,
  stabilityBound: 'rate',
  silenceHours: null,
});
