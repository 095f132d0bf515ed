import type { ReleaseAnalysis as WireAnalysis, ReleaseSummary as WireSummary } from '@shipworthy/client/contract';
import type { ProgressPoint, ReleaseAnalysis, ReleaseSummary } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** A point of the progress. */
export const wirePoint = ({ openBugs, from, at, ...counts }: ProgressPoint): WireAnalysis['points'][number] => ({
  from: wireMoment(from),
  at: wireMoment(at),
  ...counts,
  open_bugs: openBugs,
});

/** One release in comparable numbers. */
export const wireSummary = ({ scope, lead, ...summary }: ReleaseSummary): WireSummary => ({
  id: summary.id,
  name: summary.name,
  starts_at: wireMomentOrNull(summary.startsAt),
  shipped_at: wireMomentOrNull(summary.shippedAt),
  duration_seconds: seconds(summary.duration),
  issues: summary.issues,
  bugs: summary.bugs,
  scope: { before_start: scope.beforeStart, after_start: scope.afterStart, change_rate: scope.changeRate },
  deployments: summary.deployments,
  lead: {
    first_deployment_at: wireMomentOrNull(lead.firstDeploymentAt),
    first_success_at: wireMomentOrNull(lead.firstSuccessAt),
    to_first_success_seconds: seconds(lead.toFirstSuccess),
    to_shipping_seconds: seconds(lead.toShipping),
  },
});

/** The analysis of a release. */
export const wireAnalysis = ({ asOf, step, points, release, earlier }: ReleaseAnalysis): WireAnalysis => ({
  as_of: wireMoment(asOf),
  step,
  points: points.map(wirePoint),
  release: wireSummary(release),
  earlier: earlier.map(wireSummary),
});
