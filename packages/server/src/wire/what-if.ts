import type { WhatIfRequest, WhatIf as WireWhatIf } from '@shipworthy/client/contract';
import type { FactChanges, PolicyChanges, WhatIfChanges, WhatIfReading } from '@shipworthy/domain';
import { momentOf } from './moment.js';
import { wireReport } from './readiness.js';

/** The member under its name, or none where nothing is sent. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } =>
  // A computed name is a member of any name to the compiler.
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: Value });

const factChanges = (sent: NonNullable<WhatIfRequest['facts']>): FactChanges => {
  const { scope, quality, ops, verification, stability } = sent;
  const run = verification && {
    passed: verification.passed,
    total: verification.total,
    ...given('ranAt', verification.ran_at === undefined ? undefined : momentOf(verification.ran_at)),
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
  };
};

const policyChanges = (sent: NonNullable<WhatIfRequest['policy']>): PolicyChanges => ({
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
});

/** What is changed in thought; what is not sent is not named. */
export const changesOf = ({ facts, policy }: WhatIfRequest): WhatIfChanges => ({
  ...given('facts', facts && factChanges(facts)),
  ...given('policy', policy && policyChanges(policy)),
});

/** How the release would stand, and how it stands. */
export const wireWhatIf = ({ before, ...judged }: WhatIfReading): WireWhatIf => ({
  report: wireReport({ ...judged, frozenAt: null }),
  before: { score: before.score, coverage: before.coverage, decision: before.decision },
});
