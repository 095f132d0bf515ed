import type { BodyOf, Operations, Policy as WirePolicy } from '@shipworthy/client/contract';
import type { Policy, PolicyVersion } from '@shipworthy/domain';

/** A version of a policy. */
export const wirePolicy = ({ policy, version }: Pick<PolicyVersion, 'policy' | 'version'>): WirePolicy => ({
  weights: { ...policy.weights },
  threshold: policy.threshold,
  minimums: { ...policy.minimums },
  required_axes: [...policy.requiredAxes],
  environments: policy.environments === null ? null : [...policy.environments],
  freshness_hours: policy.freshnessHours,
  verification: policy.verification,
  max_open_critical_bugs: policy.maxOpenCriticalBugs,
  min_finished_deployments: policy.minFinishedDeployments,
  stability_bound: policy.stabilityBound ?? 'rate',
  silence_hours: policy.silenceHours ?? null,
  version,
});

/** The policy that is sent; its `version` says nothing, `If-Match` does. */
export const policyOf = (sent: BodyOf<Operations['replacePolicy']>): Policy => ({
  weights: sent.weights,
  threshold: sent.threshold,
  minimums: sent.minimums,
  requiredAxes: sent.required_axes,
  environments: sent.environments,
  freshnessHours: sent.freshness_hours,
  verification: sent.verification,
  maxOpenCriticalBugs: sent.max_open_critical_bugs,
  minFinishedDeployments: sent.min_finished_deployments,
  stabilityBound: sent.stability_bound ?? 'rate',
  silenceHours: sent.silence_hours ?? null,
});
