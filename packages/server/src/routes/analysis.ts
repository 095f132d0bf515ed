import type { ReleaseAnalysis as WireAnalysis, ReleaseSummary as WireSummary } from '@shipworthy/client/contract';
import type { Principal } from '@shipworthy/domain';
import type { ProgressPoint, ProgressStep, ReleaseAnalysis, ReleaseSummary } from '@shipworthy/domain/analysis';
import type { Ports } from '@shipworthy/domain/ports';
import { readAnalysis } from '@shipworthy/domain/use-cases';
import { safeFileName } from '../http/answer.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { sentMomentOrNull, wireMoment, wireMomentOrNull } from '../wire.js';
import { csvText, type TableColumns } from './csv.js';

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const wirePoint = ({ openBugs, from, at, ...counts }: ProgressPoint): WireAnalysis['points'][number] => ({
  from: wireMoment(from),
  at: wireMoment(at),
  ...counts,
  open_bugs: openBugs,
});

/** One release in comparable numbers. */
const wireSummary = ({ scope, lead, ...summary }: ReleaseSummary): WireSummary => ({
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

export const wireAnalysis = ({ asOf, step, points, release, earlier }: ReleaseAnalysis): WireAnalysis => ({
  as_of: wireMoment(asOf),
  step,
  points: points.map(wirePoint),
  release: wireSummary(release),
  earlier: earlier.map(wireSummary),
});

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

const SUMMARY_COLUMNS: TableColumns<WireSummary> = {
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

interface AnalysisContext {
  readonly ports: Ports;
  readonly principal: Principal;
  readonly place: { readonly teamId: string; readonly projectId: string; readonly releaseId: string };
}

interface AnalysisQuery {
  readonly from?: string;
  readonly to?: string;
  readonly step?: ProgressStep;
}

const analysisOf = (
  { ports, principal, place }: AnalysisContext,
  { from, to, step = 'day' }: AnalysisQuery,
): Promise<ReleaseAnalysis> => {
  const { teamId, projectId, releaseId } = place;
  const span = { from: sentMomentOrNull(from), to: sentMomentOrNull(to), step };
  return readAnalysis(ports, { principal, teamId, projectId, releaseId, ...span });
};

const read: RouteHandler<OperationOf<'readAnalysis'>> = async ({ query }, context) => ({
  status: 200,
  body: { data: wireAnalysis(await analysisOf(context, query)) },
});

const TABLES = { progress: progressTable, releases: releasesTable };

const exportTable: RouteHandler<OperationOf<'exportAnalysis'>> = async (
  { query: { table = 'progress', ...span } },
  context,
) => {
  const analysis = await analysisOf(context, span);
  const fileName = `${safeFileName(analysis.release.name)}-${table}.csv`;
  return { status: 200, text: TABLES[table](analysis), fileName };
};

export const analysisRoutes = { readAnalysis: read, exportAnalysis: exportTable } as const satisfies Partial<Routes>;
