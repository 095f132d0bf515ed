import type { ReleaseSummary as WireSummary } from '@shipworthy/client/contract';
import type { ReleaseAnalysis } from '@shipworthy/domain';
import { wirePoint, wireSummary } from './analysis.js';
import { type Cell, csvText } from './csv.js';

const POINT_COLUMNS = [
  'from',
  'at',
  'done',
  'total',
  'bugs',
  'open_bugs',
  'added',
  'removed',
  'canceled',
  'completed',
] as const;

/** The progress of a release as CSV, a line per point. */
export const progressTable = ({ release, points }: ReleaseAnalysis): string =>
  csvText(
    ['release', ...POINT_COLUMNS],
    points.map(wirePoint).map((point) => [release.name, ...POINT_COLUMNS.map((column) => point[column])]),
  );

const SUMMARY_COLUMNS: Readonly<Record<string, (summary: WireSummary) => Cell>> = {
  release: ({ name }) => name,
  starts_at: ({ starts_at }) => starts_at,
  shipped_at: ({ shipped_at }) => shipped_at,
  duration_seconds: ({ duration_seconds }) => duration_seconds,
  issues_done: ({ issues }) => issues.done,
  issues_total: ({ issues }) => issues.total,
  bugs_open: ({ bugs }) => bugs.open,
  bugs_total: ({ bugs }) => bugs.total,
  added_after_start: ({ scope }) => scope.after_start?.added ?? null,
  removed_after_start: ({ scope }) => scope.after_start?.removed ?? null,
  canceled_after_start: ({ scope }) => scope.after_start?.canceled ?? null,
  scope_change_rate: ({ scope }) => scope.change_rate,
  deployments_succeeded: ({ deployments }) => deployments.succeeded,
  deployments_failed: ({ deployments }) => deployments.failed,
  first_deployment_at: ({ lead }) => lead.first_deployment_at,
  to_first_success_seconds: ({ lead }) => lead.to_first_success_seconds,
  to_shipping_seconds: ({ lead }) => lead.to_shipping_seconds,
};

/** The release and those it is compared with as CSV, a line for each. */
export const releasesTable = ({ release, earlier }: ReleaseAnalysis): string =>
  csvText(
    Object.keys(SUMMARY_COLUMNS),
    [release, ...earlier]
      .map(wireSummary)
      .map((summary) => Object.values(SUMMARY_COLUMNS).map((cell) => cell(summary))),
  );
