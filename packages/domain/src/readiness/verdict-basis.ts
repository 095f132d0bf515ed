import type { ReleaseFacts, SourceFacts } from './facts.js';
import type { Policy } from './policy.js';
import type { VerdictFacts, VerdictPolicy, VerdictSource, VerdictWaiver } from './verdict-predicate.js';
import type { Waiver } from './waiver.js';

const sourceOf = (source: VerdictSource | null): SourceFacts | null =>
  source && { lastAt: Date.parse(source.last_at), medianMs: source.median_ms };

/** Facts as a verdict carries them, for the engine. */
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
  };
};

/** A policy likewise. */
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
});

/** A waiver of that release likewise. */
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
