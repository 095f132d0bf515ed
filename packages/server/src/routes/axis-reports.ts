import type { AxisReportRequest, AxisReport as WireAxisReport } from '@shipworthy/client/contract';
import type { AxisReportReason, AxisReportView, SentAxisReport } from '@shipworthy/domain';
import { recordAxisReport } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { externalIdOf, sentMomentOrNull, wireMoment } from '../wire.js';
import { actorOf } from './replies.js';

/** A report as the domain takes it; what was not sent is null. */
const axisReportSent = (sent: AxisReportRequest): SentAxisReport => ({
  part: sent.part,
  whole: sent.whole,
  explanation: sent.explanation ?? null,
  url: sent.url ?? null,
  measuredAt: sentMomentOrNull(sent.measured_at),
  external: externalIdOf(sent),
});

/** Whether it counts; `reason` only where it does not. */
export const wireReportCounting = (reason: AxisReportReason | null) =>
  reason === null ? { counts: true } : { counts: false, reason };

/** A report with its receipt. */
export const wireAxisReport = ({ report, project, release, reason }: AxisReportView): WireAxisReport => ({
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
    releases: [{ id: release.id, name: release.name, ...wireReportCounting(reason) }],
    axis: report.axis,
  },
});

const record: RouteHandler<OperationOf<'recordAxisReport'>> = async ({ path, body }, context) => {
  const { teamId, projectId } = context.place;
  const command = { by: actorOf(context), teamId, projectId, releaseId: null, axis: path.axis };
  const view = await recordAxisReport(context.ports, { ...command, report: axisReportSent(body) });
  return { status: 201, body: { data: wireAxisReport(view) } };
};

const recordOfRelease: RouteHandler<OperationOf<'recordReleaseAxisReport'>> = async ({ path, body }, context) => {
  const { teamId, projectId, releaseId } = context.place;
  const command = { by: actorOf(context), teamId, projectId, releaseId, axis: path.axis };
  const view = await recordAxisReport(context.ports, { ...command, report: axisReportSent(body) });
  return { status: 201, body: { data: wireAxisReport(view) } };
};

/** The routes of reports of own axes. */
export const axisReportRoutes = {
  recordAxisReport: record,
  recordReleaseAxisReport: recordOfRelease,
} as const satisfies Partial<Routes>;
