import type { Policy } from '@shipworthy/client';

export const POLICY: Policy = {
  weights: { scope: 1, quality: 1, ops: 1, verification: 2, stability: 1 },
  threshold: 82.5,
  minimums: { scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 },
  required_axes: ['scope', 'ops'],
  environments: ['production'],
  freshness_hours: null,
  verification: 'latest_run',
  max_open_critical_bugs: 0,
  min_finished_deployments: 1,
  stability_bound: 'rate',
  silence_hours: 24.5,
  version: 7,
};
