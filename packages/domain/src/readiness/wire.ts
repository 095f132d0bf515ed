import type { Axis, AxisName, PerAxis } from './axis.js';
import type {
  OpsFacts,
  OpsMark,
  OpsRemoval,
  QualityFacts,
  ReleaseFacts,
  ScopeFacts,
  SourceFacts,
  StabilityFacts,
  SuiteRun,
  VerificationFacts,
} from './facts.js';
import {
  assumedReportOf,
  ownAxisOf,
  ownAxisOfVerdict,
  ownReadingForm,
  reportedOf,
  type SentOwnAxis,
  type SentOwnFacts,
  type VerdictOwnAxis,
  type VerdictReported,
} from './own-wire.js';
import type { Policy } from './policy.js';
import type { AxisReading, ChangeFailureRate, Gate, ReadinessReport, Reason } from './report.js';
import type { SilentSource } from './silent-source.js';
import type { WaivableCode, Waiver } from './waiver.js';
import type { FactChanges, PolicyChanges, WhatIfChanges } from './what-if.js';
import { momentForm } from './words.js';

const HOUR = 3_600_000;

/** The facts of verification in wire form. */
export const verificationForm = ({ passed, total, ranAt, suite, commitSha, runs, worseSuite }: VerificationFacts) => ({
  passed,
  total,
  ran_at: momentForm(ranAt),
  suite,
  commit_sha: commitSha,
  runs,
  ...(worseSuite === undefined
    ? {}
    : { worse_suite: worseSuite && { suite: worseSuite.suite, passed: worseSuite.passed, total: worseSuite.total } }),
});

const opsMarkForm = ({ title, reason, markedBy, markedAt, confirmedBy, confirmed }: OpsMark) => ({
  title,
  reason,
  by: markedBy,
  at: markedAt === null ? null : momentForm(markedAt),
  confirmed,
  confirmed_by: confirmedBy,
});

const opsRemovalForm = ({ title, removedBy, removedAt }: OpsRemoval) => ({
  title,
  by: removedBy,
  at: momentForm(removedAt),
});

const stabilityForm = ({ succeeded, failed, inProgress }: StabilityFacts, rate: ChangeFailureRate | null) => ({
  succeeded,
  failed,
  in_progress: inProgress,
  change_failure_rate: rate === null ? null : rate.rate,
  interval: rate === null ? null : { low: rate.interval.low, high: rate.interval.high, level: rate.interval.level },
});

const opsForm = ({ done, total, openItems, notApplicable = [], removed = [] }: OpsFacts) => ({
  done,
  total,
  open_items: openItems,
  ...(notApplicable.length === 0 ? {} : { not_applicable: notApplicable.map(opsMarkForm) }),
  ...(removed.length === 0 ? {} : { removed: removed.map(opsRemovalForm) }),
});

const factsForm = (reading: AxisReading): object | undefined => {
  switch (reading.axis) {
    case 'scope':
      return { done: reading.facts.done, total: reading.facts.total };
    case 'quality': {
      const { resolved, total, open } = reading.facts;
      const { critical, major, minor, unspecified } = open;
      return { resolved, total, open: { critical, major, minor, unspecified } };
    }
    case 'ops':
      return opsForm(reading.facts);
    case 'verification':
      return reading.facts === null ? undefined : verificationForm(reading.facts);
    case 'stability':
      return stabilityForm(reading.facts, reading.changeFailureRate);
  }
};

/** The reading of one axis in wire form; without `facts` when nothing is known, with `as_of` only when its data is not current. */
export const readingForm = (reading: AxisReading) => {
  // A report frozen by an older version has readings without `asOf`.
  const { axis, weight, explanation, asOf = null, setAside } = reading;
  const facts = factsForm(reading);
  const yielded =
    reading.state === 'measured'
      ? { state: reading.state, score: reading.score }
      : { state: reading.state, cause: reading.cause };
  const known = asOf === null ? {} : { as_of: momentForm(asOf) };
  const aside = setAside === undefined ? {} : { set_aside: { suite: setAside.suite } };
  return { axis, ...yielded, weight, ...known, ...aside, ...(facts === undefined ? {} : { facts }), explanation };
};

/** A reason in wire form; `axis` only where it concerns one. */
export const reasonForm = ({ code, axis, actual, required, message, waived }: Reason) => ({
  code,
  ...(axis === null ? {} : { axis }),
  actual,
  required,
  message,
  waived,
});

/** A waiver in wire form; `axis` only where its reason has one. */
export const waiverForm = (waiver: Waiver) => ({
  id: waiver.id,
  code: waiver.code,
  ...(waiver.axis === null ? {} : { axis: waiver.axis }),
  text: waiver.text,
  actual: waiver.actual,
  created_by: waiver.createdBy,
  created_at: momentForm(waiver.createdAt),
  expires_at: momentForm(waiver.expiresAt),
  withdrawn_at: waiver.withdrawnAt === null ? null : momentForm(waiver.withdrawnAt),
  withdrawn_by: waiver.withdrawnBy,
});

/** The ship gate in wire form. */
export const gateForm = (gate: Gate) => ({
  decision: gate.decision,
  reasons: gate.reasons.map(reasonForm),
  decision_without_waivers: gate.decisionWithoutWaivers,
  waivers: gate.waivers.map(waiverForm),
  next_steps: gate.nextSteps.map(({ axis, action, count, gain, message }) => ({ axis, action, count, gain, message })),
});

/** A silent source in wire form. */
export const silentSourceForm = ({ source, lastAt, limitMs, basis, since }: SilentSource) => ({
  source,
  last_at: momentForm(lastAt),
  limit_hours: limitMs / HOUR,
  basis,
  since: momentForm(since),
});

/**
 * A report in wire form: snake_case, moments in RFC 3339 with milliseconds. Programs that compute a report without the service
 * write the same form.
 */
export const judgementForm = (report: ReadinessReport) => ({
  formula: report.formula,
  score: report.score,
  coverage: report.coverage,
  axes: report.axes.map(readingForm),
  ...(report.ownAxes === undefined ? {} : { own_axes: report.ownAxes.map(ownReadingForm) }),
  gate: gateForm(report.gate),
  silent_sources: (report.silentSources ?? []).map(silentSourceForm),
});

type Maybe<Shape> = { readonly [Name in keyof Shape]?: Shape[Name] | undefined };

/** A what-if request in wire form. */
interface WhatIfRequestForm {
  readonly facts?:
    | Maybe<{
        readonly scope: ScopeFacts;
        readonly quality: QualityFacts;
        readonly ops: { readonly done: number; readonly total: number };
        /** `ran_at` is RFC 3339. */
        readonly verification: {
          readonly passed: number;
          readonly total: number;
          readonly ran_at?: string | undefined;
        } | null;
        readonly stability: { readonly succeeded: number; readonly failed: number; readonly in_progress: number };
        readonly own_axes: readonly SentOwnFacts[];
      }>
    | undefined;
  readonly policy?:
    | Maybe<{
        readonly weights: Partial<PerAxis<number>>;
        readonly threshold: number;
        readonly minimums: Partial<PerAxis<number>>;
        readonly required_axes: readonly Axis[];
        readonly environments: readonly string[] | null;
        readonly freshness_hours: number | null;
        readonly verification: 'latest_run' | 'latest_per_suite';
        readonly max_open_critical_bugs: number | null;
        readonly min_finished_deployments: number;
        readonly stability_bound: 'rate' | 'upper_bound';
        readonly silence_hours: number | null;
        /** All of them; null: none. */
        readonly own_axes: readonly SentOwnAxis[] | null;
      }>
    | undefined;
}

/** An object with this one member; an empty object if the value is undefined. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } =>
  // The compiler takes a computed name for any name.
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: Value });

const factChanges = (sent: NonNullable<WhatIfRequestForm['facts']>): FactChanges => {
  const { scope, quality, ops, verification, stability, own_axes: own } = sent;
  const run = verification && {
    passed: verification.passed,
    total: verification.total,
    ...given('ranAt', verification.ran_at === undefined ? undefined : Date.parse(verification.ran_at)),
  };
  const deployments = stability && {
    succeeded: stability.succeeded,
    failed: stability.failed,
    inProgress: stability.in_progress,
  };
  return {
    ...given('scope', scope),
    ...given('quality', quality),
    ...given('ops', ops),
    ...given('verification', run),
    ...given('stability', deployments),
    ...given('ownAxes', own && Object.fromEntries(own.map(assumedReportOf))),
  };
};

/** Converts the demands of a request for the engine; members that were not sent are left out. */
export const policyChangesOf = (sent: NonNullable<WhatIfRequestForm['policy']>): PolicyChanges => ({
  ...given('weights', sent.weights),
  ...given('threshold', sent.threshold),
  ...given('minimums', sent.minimums),
  ...given('requiredAxes', sent.required_axes),
  ...given('environments', sent.environments),
  ...given('freshnessHours', sent.freshness_hours),
  ...given('verification', sent.verification),
  ...given('maxOpenCriticalBugs', sent.max_open_critical_bugs),
  ...given('minFinishedDeployments', sent.min_finished_deployments),
  ...given('stabilityBound', sent.stability_bound),
  ...given('silenceHours', sent.silence_hours),
  ...given('ownAxes', sent.own_axes === undefined ? undefined : (sent.own_axes ?? []).map(ownAxisOf)),
});

/** Converts a what-if request, whose structure was checked, for the engine; members that were not sent are left out. */
export const changesOfRequest = ({ facts, policy }: WhatIfRequestForm): WhatIfChanges => ({
  ...given('facts', facts && factChanges(facts)),
  ...given('policy', policy && policyChangesOf(policy)),
});

/**
 * When the last record of a source came, and the usual interval between its records, in milliseconds; null: not known.
 */
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
  readonly own_axes?: readonly VerdictReported[];
}

/** A policy as a signed verdict carries it. */
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
  readonly own_axes?: readonly VerdictOwnAxis[];
}

/** A waiver as a signed verdict carries it; `axis` is missing where its reason has none. */
export interface VerdictWaiver {
  readonly id: string;
  readonly code: WaivableCode;
  readonly axis?: AxisName;
  readonly text: string;
  readonly actual: number | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly withdrawn_at: string | null;
  readonly withdrawn_by: string | null;
}

const sourceOf = (source: VerdictSource | null): SourceFacts | null =>
  source && { lastAt: Date.parse(source.last_at), medianMs: source.median_ms };

/** Converts a verdict's facts for the engine. */
export const factsOfVerdict = (facts: VerdictFacts): ReleaseFacts => {
  const { scope, quality, ops, verification, stability, sources } = facts;
  const { issues_as_of: issuesAsOf, issues_pending: pending, test_run_set_aside: setAside } = facts;
  return {
    scope,
    quality,
    ops: { done: ops.done, total: ops.total, openItems: ops.open_items },
    verification: verification && {
      passed: verification.passed,
      total: verification.total,
      ranAt: Date.parse(verification.ran_at),
      suite: verification.suite,
      commitSha: verification.commit_sha,
      runs: verification.runs,
      ...(verification.worse_suite === undefined ? {} : { worseSuite: verification.worse_suite }),
    },
    stability: { succeeded: stability.succeeded, failed: stability.failed, inProgress: stability.in_progress },
    ...(issuesAsOf === undefined ? {} : { issuesAsOf: issuesAsOf === null ? null : Date.parse(issuesAsOf) }),
    ...(pending === undefined ? {} : { issuesPending: pending }),
    ...(setAside === undefined ? {} : { testRunSetAside: setAside }),
    ...(sources === undefined
      ? {}
      : { sources: { deployments: sourceOf(sources.deployments), testRuns: sourceOf(sources.test_runs) } }),
    ...(facts.own_axes === undefined ? {} : { ownAxes: Object.fromEntries(facts.own_axes.map(reportedOf)) }),
  };
};

/** Converts a verdict's policy for the engine. */
export const policyOfVerdict = (policy: VerdictPolicy): Policy => ({
  weights: policy.weights,
  threshold: policy.threshold,
  minimums: policy.minimums,
  requiredAxes: policy.required_axes,
  environments: policy.environments,
  freshnessHours: policy.freshness_hours,
  verification: policy.verification,
  maxOpenCriticalBugs: policy.max_open_critical_bugs,
  minFinishedDeployments: policy.min_finished_deployments,
  ...(policy.stability_bound === undefined ? {} : { stabilityBound: policy.stability_bound }),
  ...(policy.silence_hours === undefined ? {} : { silenceHours: policy.silence_hours }),
  ...(policy.own_axes === undefined ? {} : { ownAxes: policy.own_axes.map(ownAxisOfVerdict) }),
});

/** Converts a verdict's waiver of that release for the engine. */
export const waiverOfVerdict = (waiver: VerdictWaiver, releaseId: string): Waiver => ({
  id: waiver.id,
  releaseId,
  code: waiver.code,
  axis: waiver.axis ?? null,
  text: waiver.text,
  actual: waiver.actual,
  createdBy: waiver.created_by,
  createdAt: Date.parse(waiver.created_at),
  expiresAt: Date.parse(waiver.expires_at),
  withdrawnAt: waiver.withdrawn_at === null ? null : Date.parse(waiver.withdrawn_at),
  withdrawnBy: waiver.withdrawn_by,
});
