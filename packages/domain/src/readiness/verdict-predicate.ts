import type { Axis, PerAxis } from './axis.js';
import type { QualityFacts, ScopeFacts, SuiteRun } from './facts.js';
import type { Policy } from './policy.js';
import type { GateDecision } from './readiness-report.js';
import type { ReasonCode, WaivableCode } from './waiver.js';

/** When a source of reports was last heard and how often, in milliseconds. */
export interface VerdictSource {
  readonly last_at: string;
  readonly median_ms: number | null;
}

/** Facts as a signed verdict carries them; moments are RFC 3339 with milliseconds. */
export interface VerdictFacts {
  readonly scope: ScopeFacts;
  readonly quality: QualityFacts;
  readonly ops: { readonly done: number; readonly total: number; readonly open_items: readonly string[] };
  readonly verification: {
    readonly passed: number;
    readonly total: number;
    readonly ran_at: string;
    readonly suite: string | null;
    readonly commit_sha: string | null;
    readonly runs: number;
    readonly worse_suite?: SuiteRun | null;
  } | null;
  readonly stability: { readonly succeeded: number; readonly failed: number; readonly in_progress: number };
  readonly issues_as_of?: string | null;
  readonly issues_pending?: boolean;
  readonly test_run_set_aside?: { readonly suite: string | null } | null;
  readonly sources?: { readonly deployments: VerdictSource | null; readonly test_runs: VerdictSource | null };
}

/** A policy likewise. */
export interface VerdictPolicy {
  readonly weights: PerAxis<number>;
  readonly threshold: number;
  readonly minimums: PerAxis<number>;
  readonly required_axes: readonly Axis[];
  readonly environments: readonly string[] | null;
  readonly freshness_hours: number | null;
  readonly verification: Policy['verification'];
  readonly max_open_critical_bugs: number | null;
  readonly min_finished_deployments: number;
  readonly stability_bound?: 'rate' | 'upper_bound';
  readonly silence_hours?: number | null;
}

/** A waiver likewise; `axis` is missing where its reason has none. */
export interface VerdictWaiver {
  readonly id: string;
  readonly code: WaivableCode;
  readonly axis?: Axis;
  readonly text: string;
  readonly actual: number | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly withdrawn_at: string | null;
  readonly withdrawn_by: string | null;
}

/** What the service says comes out of it. */
export interface VerdictResult {
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  readonly decision_without_waivers: GateDecision;
  readonly reasons: readonly {
    readonly code: ReasonCode;
    readonly axis?: Axis;
    readonly actual: number | null;
    readonly required: number | null;
    readonly message: string;
    readonly waived: boolean;
  }[];
}

/** The part of a signed verdict that the engine reads: all it needs to come to the result again. */
export interface VerdictPredicate {
  /** The formula's version. */
  readonly formula: string;
  readonly release: { readonly id: string };
  readonly as_of: string;
  readonly facts: VerdictFacts;
  readonly policy: VerdictPolicy;
  readonly waivers: readonly VerdictWaiver[];
  readonly result: VerdictResult;
}
