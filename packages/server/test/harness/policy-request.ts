import type { BodyOf, Operations } from '@shipworthy/client/contract';

/** A policy as an owner sends it. */
export const POLICY: BodyOf<Operations['replacePolicy']> = {
  weights: { scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 },
  threshold: 85,
  minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
  required_axes: ['scope', 'quality', 'ops', 'verification', 'stability'],
  environments: null,
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: 0,
  min_finished_deployments: 1,
};
