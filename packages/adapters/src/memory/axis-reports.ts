import { type AxisReport, axisReportMove, contains, isLaterReport } from '@shipworthy/domain';
import type { AxisReportStore, LatestReportLookup } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { greatest, pageDown } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

/** The sort key of reports by time. */
const reportTimeKey = ({ measuredAt, recordedAt, id }: AxisReport) => [measuredAt, recordedAt, id];

/**
 * Returns the latest report of a release's axis, or the latest before the report `before`. Reports recorded after the
 * release shipped are left out.
 */
const latestOf = (
  { axisReports, releases }: Tables,
  { releaseId, axis, before }: LatestReportLookup,
): AxisReport | undefined => {
  const shippedAt = releases.get(releaseId)?.shippedAt ?? null;
  const inTime = axisReports
    .where('release', releaseId)
    .filter(
      (report) =>
        report.axis === axis &&
        (shippedAt === null || report.recordedAt < shippedAt) &&
        (before === null || isLaterReport(before, report)),
    );
  return greatest(inTime, reportTimeKey);
};

export const axisReportStore = ({ read, change }: TableAccess): AxisReportStore => ({
  add: (reports) =>
    change((tables) => {
      for (const report of reports) {
        const { id, releaseId, axis, recordedAt } = report;
        tables.axisReports.put(id, report);
        const key = keyOf(releaseId, axis);
        const latest = tables.latestReports.get(key);
        if (latest === undefined || isLaterReport(report, latest)) tables.latestReports.put(key, report);
        markRelease(tables, releaseId, axisReportMove(id, axis, recordedAt));
      }
    }),
  byIds: (reportIds) => read(({ axisReports }) => reportIds.map((id) => axisReports.get(id))),
  byExternalIds: (projectId, axis, externalIds) =>
    read(({ axisReports }) => {
      const ofAxis = axisReports.where('project', projectId).filter((report) => report.axis === axis);
      const byId = new Map(ofAxis.map((report) => [report.external?.id, report]));
      return externalIds.map((id) => byId.get(id));
    }),
  page: ({ projectId, axis, releaseId, measured }, page) =>
    read(({ axisReports }) => {
      const wanted = axisReports
        .where('project', projectId)
        .filter(
          (report) =>
            report.axis === axis &&
            (releaseId === undefined || report.releaseId === releaseId) &&
            (measured === undefined || contains(measured, report.measuredAt)),
        );
      return pageDown(wanted, reportTimeKey, page);
    }),
  lastRecorded: (projectIds) =>
    read(({ axisReports }) =>
      projectIds.map((id) => greatest(axisReports.where('project', id), reportTimeKey)?.recordedAt),
    ),
  latest: (lookups) => read((tables) => lookups.map((lookup) => latestOf(tables, lookup))),
});
