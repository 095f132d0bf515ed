import {
  type AxisReportRequest,
  operations,
  type PathOf,
  type AxisReport as WireAxisReport,
} from '@shipworthy/client/contract';
import type { AxisReportReason, AxisReportView, SentAxisReport } from '@shipworthy/domain';
import type { RememberedReply } from '@shipworthy/domain/ports';
import {
  addAxisReportContribution,
  importAxisReports,
  listAxisReports,
  readAxisReport,
  recordAxisReport,
} from '@shipworthy/domain/use-cases';
import { locationOf } from '../http/answer.js';
import type { OperationOf, RouteContext, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { externalIdOf, intervalOf, sentMomentOrNull, wireMoment } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { actorOf, recordPageReply } from './replies.js';
import { ATTRIBUTION_COLUMNS, answerReport, importBatch, includesContribution, wireContribution } from './reports.js';

/** A report as the domain takes it; what was not sent is null. */
const axisReportSent = (sent: AxisReportRequest): SentAxisReport => ({
  part: sent.part,
  whole: sent.whole,
  explanation: sent.explanation ?? null,
  url: sent.url ?? null,
  measuredAt: sentMomentOrNull(sent.measured_at),
  external: externalIdOf(sent),
});

/** Whether a report counts; `reason` only where it does not. */
export const wireReportCounting = (reason: AxisReportReason | null) =>
  reason === null ? { counts: true } : { counts: false, reason };

/** A report with its receipt. */
export const wireAxisReport = ({ report, project, release, reason, contribution }: AxisReportView): WireAxisReport => ({
  id: report.id,
  project_id: report.projectId,
  release_id: report.releaseId,
  axis: report.axis,
  part: report.part,
  whole: report.whole,
  explanation: report.explanation,
  url: report.url,
  measured_at: wireMoment(report.measuredAt),
  recorded_at: wireMoment(report.recordedAt),
  recorded_by: report.recordedBy,
  attribution: {
    project: { id: project.id, name: project.name },
    releases: [
      { id: release.id, name: release.name, ...wireReportCounting(reason), ...wireContribution(contribution) },
    ],
    axis: report.axis,
  },
});

type Record = OperationOf<'recordAxisReport'>;
type RecordOfRelease = OperationOf<'recordReleaseAxisReport'>;
type Import = OperationOf<'importAxisReports'>;

/** Who reports, where, and whether the answer includes the contribution. */
type Reporting = Pick<
  RouteContext<Record>,
  'principal' | 'needs' | 'address' | 'requestId' | 'ports' | 'idempotency'
> & {
  readonly place: { readonly teamId: string; readonly projectId: string };
};

const answered = (
  context: Reporting,
  { path, query, body }: Pick<RouteInput<Record>, 'path' | 'query' | 'body'>,
  releaseId: string | null,
) => {
  const { principal, ports, place, idempotency } = context;
  const { teamId, projectId } = place;
  const { axis } = path;
  const created = (view: AxisReportView): RememberedReply => ({
    status: 201,
    location: locationOf(operations.recordAxisReport, path, view.report.id),
    body: JSON.stringify({ data: wireAxisReport(view) }),
  });
  const contribution = {
    add: (view: AxisReportView) => addAxisReportContribution(ports, view),
    again: (reportId: string) => readAxisReport(ports, { principal, teamId, projectId, axis, reportId }),
  };
  const command = { by: actorOf(context), teamId, projectId, releaseId, axis, report: axisReportSent(body) };
  return answerReport(
    idempotency,
    created,
    (remember) => recordAxisReport(ports, { ...command, remember }),
    includesContribution(query.contribution, principal) ? contribution : null,
  );
};

const record: RouteHandler<Record> = (input, context) => answered(context, input, null);

const recordOfRelease: RouteHandler<RecordOfRelease> = (input, context) =>
  answered(context, input, context.place.releaseId);

const pathOf = ({ team_id, project_id, axis }: PathOf<Import>): string =>
  operations.importAxisReports.path
    .replace('{team_id}', team_id)
    .replace('{project_id}', project_id)
    .replace('{axis}', axis);

const importAll: RouteHandler<Import> = ({ path, body }, context) => {
  const { ports, place, basePath, requestId, now } = context;
  const command = { by: actorOf(context), teamId: place.teamId, projectId: place.projectId, axis: path.axis };
  return importBatch(
    body,
    ({ release_id, ...sent }) => ({ ...axisReportSent(sent), releaseId: release_id?.toLowerCase() ?? null }),
    (records) => importAxisReports(ports, { ...command, records }),
    { basePath, path: pathOf(path), requestId, now },
  );
};

const read: RouteHandler<OperationOf<'readAxisReport'>> = async ({ path }, { principal, ports, place }) => {
  const { teamId, projectId, report } = place;
  const command = { principal, teamId, projectId, axis: path.axis, reportId: report.id };
  return { status: 200, body: { data: wireAxisReport(await readAxisReport(ports, command)) } };
};

type Listing = OperationOf<'exportAxisReports'>;

/** The reports that a list is asked for, without the page. */
const listRequest = (
  { path, query }: Pick<RouteInput<Listing>, 'path' | 'query'>,
  { principal, place }: Pick<RouteContext<Listing>, 'principal' | 'place'>,
) => {
  const { release_id, measured_from, measured_to } = query;
  const measured = intervalOf(measured_from, measured_to);
  return {
    ...{ principal, teamId: place.teamId, projectId: place.projectId, axis: path.axis },
    ...(release_id === undefined ? {} : { releaseId: release_id.toLowerCase() }),
    ...(measured === undefined ? {} : { measured }),
  };
};

const list: RouteHandler<OperationOf<'listAxisReports'>> = async (input, context) => {
  const { ports, place, page, sealCursor } = context;
  const [{ rows, next }, kept] = await Promise.all([
    listAxisReports(ports, { ...listRequest(input, context), page }),
    ports.stores.keptRecords.since(place.projectId),
  ]);
  return recordPageReply(rows.map(wireAxisReport), sealCursor(next), kept.axisReports);
};

/** A report as a line of a table. */
export const AXIS_REPORT_TABLE: TableColumns<WireAxisReport> = {
  measured_at: ({ measured_at }) => measured_at,
  axis: ({ axis }) => axis,
  part: ({ part }) => part,
  whole: ({ whole }) => whole,
  explanation: ({ explanation }) => explanation,
  url: ({ url }) => url,
  ...ATTRIBUTION_COLUMNS,
  recorded_by: ({ recorded_by }) => recorded_by,
  recorded_at: ({ recorded_at }) => recorded_at,
  id: ({ id }) => id,
  release_id: ({ release_id }) => release_id,
};

const exportTable: RouteHandler<Listing> = async (input, context) => {
  const { ports } = context;
  const request = listRequest(input, context);
  return exportList({
    name: `${request.axis}-reports`,
    columns: AXIS_REPORT_TABLE,
    slices: ports.slices,
    readPage: async (page) => {
      const { rows, next } = await listAxisReports(ports, { ...request, page });
      return { rows: await ports.slices.map(rows, wireAxisReport), next };
    },
  });
};

/** The routes of reports of own axes. */
export const axisReportRoutes = {
  recordAxisReport: record,
  recordReleaseAxisReport: recordOfRelease,
  importAxisReports: importAll,
  listAxisReports: list,
  exportAxisReports: exportTable,
  readAxisReport: read,
} as const satisfies Partial<Routes>;
