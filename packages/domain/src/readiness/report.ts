import type { Instant } from '../time.js';
import type { Axis, AxisName, UnmeasuredCause } from './axis.js';
import type { CountedFrom } from './counted-axis.js';
import type { ReleaseFacts, ReportedFacts, SuiteRun } from './facts.js';
import type { PolicyVersion } from './policy.js';
import type { SilentSource } from './silent-source.js';
import type { ReasonCode, Waiver } from './waiver.js';

/** The 95 % Wilson score interval of a rate, clamped to 0-1. */
export interface RateInterval {
  readonly low: number;
  readonly high: number;
  readonly level: 0.95;
}

/** The change failure rate, shown beside the facts of stability; null while nothing has finished. */
export interface ChangeFailureRate {
  /** Failed / finished deployments, 0-1, unrounded. */
  readonly rate: number;
  readonly interval: RateInterval;
}

/** The reading of one axis. */
export type AxisReading = {
  readonly [axis in Axis]: {
    readonly axis: axis;
    readonly weight: number;
    readonly facts: ReleaseFacts[axis];
    /** One sentence with the numbers behind the score. */
    readonly explanation: string;
    /** Only for stability. */
    readonly changeFailureRate: axis extends 'stability' ? ChangeFailureRate | null : null;
    /** Only for scope and quality: as of when their issues are known; null: they are current. */
    readonly asOf: axis extends 'scope' | 'quality' ? Instant | null : null;
    /** Only for verification: the suite whose latest test run is set aside; missing: there is none. */
    readonly setAside?: axis extends 'verification' ? Pick<SuiteRun, 'suite'> : never;
  } & (
    | { readonly state: 'measured' /** 0-100, rounded down to two decimals. */; readonly score: number }
    | { readonly state: 'unmeasured'; readonly cause: UnmeasuredCause }
  );
}[Axis];

/** The reading of an axis of the project's own. */
export type OwnAxisReading = {
  readonly axis: string;
  readonly title: string;
  readonly unit: { readonly one: string; readonly many: string };
  readonly weight: number;
  readonly minimum: number;
  readonly required: boolean;
  /** The records the service counts for it; missing: its facts are reported. */
  readonly countedFrom?: CountedFrom;
  /** The report that counts, or what was counted; null: there is none. Of an axis that a program defines, its facts. */
  readonly facts: ReportedFacts | null;
  readonly explanation: string;
} & (
  | { readonly state: 'measured' /** 0-100, rounded down to two decimals. */; readonly score: number }
  | { readonly state: 'unmeasured'; readonly cause: UnmeasuredCause }
);

/** One failed condition of the ship gate. */
export interface Reason {
  readonly code: ReasonCode;
  /** null for weights, the score and open critical bugs, which are conditions of their own. */
  readonly axis: AxisName | null;
  /** The measured value; null: unmeasured. Scores are rounded down. */
  readonly actual: number | null;
  /** The demanded value; null: only that the axis is measured. */
  readonly required: number | null;
  readonly message: string;
  /** Whether a waiver covers it. */
  readonly waived: boolean;
}

export type GateDecision = 'go' | 'hold' | 'unknown';

export type StepAction =
  | 'await_import'
  | 'add_issues'
  | 'close_issues'
  | 'resolve_bugs'
  | 'resolve_critical_bugs'
  | 'add_checklist_items'
  | 'tick_checklist_items'
  | 'fix_tests'
  | 'record_test_run'
  | 'deploy_successfully'
  | 'count_every_suite'
  | 'improve'
  | 'report'
  | 'provide';

/**
 * A target, "at least so many of these": targets overlap, since a resolved bug is a closed issue, too. All steps
 * together yield `go`, and with any of them smaller by one it is not `go`. `count_every_suite` is no target: it states,
 * also beside a `go`, that the policy does not count a suite with a lower pass rate.
 */
export interface NextStep {
  readonly axis: AxisName;
  readonly action: StepAction;
  /** How many issues, bugs, items, tests, runs or deployments; null: no number of them can clear the reason, or it is `await_import` or `count_every_suite`. */
  readonly count: number | null;
  /** How much the step alone adds to the whole score, 0-100, rounded down to two decimals; null: cannot be known beforehand. */
  readonly gain: number | null;
  readonly message: string;
}

/** The ship gate's answer. */
export interface Gate {
  readonly decision: GateDecision;
  /** Weights, score, axes in axis order, bugs. */
  readonly reasons: readonly Reason[];
  readonly decisionWithoutWaivers: GateDecision;
  /** The waivers that cover one of the reasons now, oldest first. */
  readonly waivers: readonly Waiver[];
  readonly nextSteps: readonly NextStep[];
}

/** The judgement of one release at one moment; recomputable for ever from facts, policy, waivers and formula. */
export interface ReadinessReport {
  readonly asOf: Instant;
  /** `2` where an own axis has a weight above 0: the same weighted mean, over more axes. */
  readonly formula: '1' | '2';
  /** 0-100, rounded down to two decimals; null while nothing of weight is measured. */
  readonly score: number | null;
  /** Weight of the measured axes / weight of all axes, 0-1; 0 when all weights are 0. */
  readonly coverage: number;
  /** Always five, in axis order. */
  readonly axes: readonly AxisReading[];
  readonly gate: Gate;
  /** Axes of the project's own, by name; missing: the policy has none. */
  readonly ownAxes?: readonly OwnAxisReading[];
  /** Sources from which nothing came for too long; missing: the report was stored before these were recorded. */
  readonly silentSources?: readonly SilentSource[];
}

/** The judgement a release shipped with and everything it was computed from. */
export interface FrozenReport {
  readonly frozenAt: Instant;
  /** The release's revision when the report was made; missing in older reports. */
  readonly revision?: number;
  readonly report: ReadinessReport;
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  readonly waivers: readonly Waiver[];
}
