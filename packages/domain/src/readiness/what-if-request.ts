import type { Axis, PerAxis } from './axis.js';
import type { FactChanges } from './changed-facts.js';
import type { QualityFacts, ScopeFacts } from './facts.js';
import type { PolicyChanges, WhatIfChanges } from './what-if.js';

type Maybe<Shape> = { readonly [Name in keyof Shape]?: Shape[Name] | undefined };

/** What is asked, in the form it is sent in. */
export interface WhatIfRequestForm {
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
      }>
    | undefined;
}

/** The member under its name, or none where nothing is sent. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } =>
  // A computed name is a member of any name to the compiler.
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: Value });

const factChanges = (sent: NonNullable<WhatIfRequestForm['facts']>): FactChanges => {
  const { scope, quality, ops, verification, stability } = sent;
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
  };
};

/** Demands as they are sent, any part of them; what is not sent is not named. */
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
});

/** What is changed in thought; what is not sent is not named. The structure must have been checked. */
export const changesOfRequest = ({ facts, policy }: WhatIfRequestForm): WhatIfChanges => ({
  ...given('facts', facts && factChanges(facts)),
  ...given('policy', policy && policyChangesOf(policy)),
});
