// SQL by hand: the latest report of an axis is kept by one statement that lets an older one change nothing.
import { type AxisReport, axisReportMove } from '@shipworthy/domain';
import type { AxisReportStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log-sql.js';
import { externalOf } from './deployment-rows-sql.js';
import { among, query, type TableOf } from './query.js';
import { type Access, inOrder, keysetPage, type Listing } from './sql.js';

interface AxisReportRow {
  readonly id: string;
  readonly project_id: string;
  readonly release_id: string;
  readonly axis: string;
  readonly part: number;
  readonly whole: number | null;
  readonly explanation: string | null;
  readonly url: string | null;
  readonly measured_at: number;
  readonly recorded_at: number;
  readonly recorded_by: string;
  readonly external_id: string | null;
  readonly external_fingerprint: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    axis_reports: TableOf<AxisReportRow, 'measured_at' | 'recorded_at'>;
  }
}

const NAMES = [
  'id',
  'project_id',
  'release_id',
  'axis',
  'part',
  'whole',
  'explanation',
  'url',
  'measured_at',
  'recorded_at',
  'recorded_by',
  'external_id',
  'external_fingerprint',
] as const;

const axisReportOf = (row: AxisReportRow): AxisReport => ({
  id: row.id,
  projectId: row.project_id,
  releaseId: row.release_id,
  axis: row.axis,
  part: row.part,
  whole: row.whole,
  explanation: row.explanation,
  url: row.url,
  measuredAt: row.measured_at,
  recordedAt: row.recorded_at,
  recordedBy: row.recorded_by,
  external: externalOf(row.external_id, row.external_fingerprint),
});

/** Reports, to which conditions on `a` may be added. */
const axisReports = (access: Access) =>
  query(access)
    .from('axis_reports as a')
    .select<AxisReportRow[]>(NAMES.map((name) => `a.${name}`));

const SORT = [
  { name: 'a.measured_at', kind: 'moment' },
  { name: 'a.recorded_at', kind: 'moment' },
  { name: 'a.id', kind: 'text' },
] as const;

const listing = (access: Access, releaseId: string, axis: string): Listing => ({
  rows: axisReports(access).where({ 'a.release_id': releaseId, 'a.axis': axis }),
  sort: SORT,
  descending: true,
});

const LATEST = ['report_id', 'part', 'whole', 'explanation', 'url', 'measured_at', 'recorded_at'];

const KEEP_LATEST = `insert into latest_axis_reports as l (release_id, axis, ${LATEST.join(', ')})
  values (?, ?, ${LATEST.map(() => '?').join(', ')})
  on conflict (release_id, axis) do update set ${LATEST.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (excluded.measured_at, excluded.recorded_at, excluded.report_id) > (l.measured_at, l.recorded_at, l.report_id)`;

const add = (access: Access, report: AxisReport): Promise<void> =>
  access.atomically(async (inside) => {
    const { id, releaseId, axis, part, whole, explanation, url, recordedAt } = report;
    const { moment } = inside.dialect;
    const [measured_at, recorded_at] = [moment(report.measuredAt), moment(recordedAt)];
    await query(inside)
      .from('axis_reports')
      .insert({
        ...{ id, project_id: report.projectId, release_id: releaseId, axis, part, whole, explanation, url },
        ...{ measured_at, recorded_at, recorded_by: report.recordedBy },
        external_id: report.external?.id ?? null,
        external_fingerprint: report.external?.fingerprint ?? null,
      });
    await inside.write(KEEP_LATEST, [releaseId, axis, id, part, whole, explanation, url, measured_at, recorded_at]);
    await markRelease(inside, releaseId, axisReportMove(id, axis, recordedAt));
  });

/** A report that came once its release had shipped is later than all that count, so few are passed over. */
const latest = async (access: Access, releaseId: string, axis: string): Promise<AxisReport | undefined> => {
  const [row] = await axisReports(access)
    .join('releases as r', 'r.id', 'a.release_id')
    .where({ 'a.release_id': releaseId, 'a.axis': axis })
    .whereRaw('(r.shipped_at is null or a.recorded_at < r.shipped_at)')
    .orderBy(SORT.map(({ name }) => ({ column: name, order: 'desc' })))
    .limit(1);
  return row && axisReportOf(row);
};

export const axisReportStore = (access: Access): AxisReportStore => ({
  add: (report) => add(access, report),
  byIds: async (reportIds) => {
    const rows = await axisReports(access).where(among(access, 'a.id', 'id', reportIds));
    return inOrder(reportIds, rows.map(axisReportOf), ({ id }) => id);
  },
  byExternalId: async (projectId, axis, externalId) => {
    const wanted = { 'a.project_id': projectId, 'a.axis': axis, 'a.external_id': externalId };
    const [row] = await axisReports(access).where(wanted);
    return row && axisReportOf(row);
  },
  page: (releaseId, axis, page) =>
    keysetPage(access, listing(access, releaseId, axis), page, axisReportOf, ({ measuredAt, recordedAt, id }) => [
      measuredAt,
      recordedAt,
      id,
    ]),
  latest: (releaseId, axis) => latest(access, releaseId, axis),
});
