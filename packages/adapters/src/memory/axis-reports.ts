import { type AxisReport, axisReportMove } from '@shipworthy/domain';
import type { AxisReportStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { greatest, pageDown } from './table.js';
import type { TableAccess, Tables } from './tables.js';

/** The sort key of reports by time. */
const later = ({ measuredAt, recordedAt, id }: AxisReport) => [measuredAt, recordedAt, id];

/** The report that is the latest of all: measuredAt, then recordedAt, then id. */
export const latestReport = (reports: readonly AxisReport[]): AxisReport | undefined => greatest(reports, later);

const ofAxis = ({ axisReports }: Tables, releaseId: string, axis: string): readonly AxisReport[] =>
  axisReports.where('release', releaseId).filter((report) => report.axis === axis);

export const axisReportStore = ({ read, change }: TableAccess): AxisReportStore => ({
  add: (report) =>
    change((tables) => {
      tables.axisReports.put(report.id, report);
      markRelease(tables, report.releaseId, axisReportMove(report.id, report.axis, report.recordedAt));
    }),
  byIds: (reportIds) => read(({ axisReports }) => reportIds.map((id) => axisReports.get(id))),
  byExternalId: (projectId, axis, externalId) =>
    read(({ axisReports }) =>
      axisReports
        .where('project', projectId)
        .find((report) => report.axis === axis && report.external?.id === externalId),
    ),
  page: (releaseId, axis, page) => read((tables) => pageDown(ofAxis(tables, releaseId, axis), later, page)),
  latest: (releaseId, axis) =>
    read((tables) => {
      const shippedAt = tables.releases.get(releaseId)?.shippedAt ?? null;
      const inTime = ofAxis(tables, releaseId, axis).filter(
        ({ recordedAt }) => shippedAt === null || recordedAt < shippedAt,
      );
      return latestReport(inTime);
    }),
});
