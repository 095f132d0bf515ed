// SQL by hand: one statement replaces the stored latest report of an axis, unless that is newer.
import { type AxisReport, axisReportMove, isLaterReport } from '@shipworthy/domain';
import type { AxisReportFilter, AxisReportStore, LatestReportLookup } from '@shipworthy/domain/ports';
import { markReleases } from './change-log-sql.js';
import { externalOf } from './deployment-rows-sql.js';
import type { ColumnKind, Value } from './dialect.js';
import { among, query, type TableOf } from './query.js';
import {
  type Access,
  groupedBy,
  inRequestedOrder,
  keysetPage,
  type Listing,
  lastMomentOfEach,
  rowsOfEach,
  rowsOfIds,
} from './sql.js';

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

const KINDS = {
  id: 'id',
  project_id: 'id',
  release_id: 'id',
  axis: 'text',
  part: 'integer',
  whole: 'integer',
  explanation: 'text',
  url: 'text',
  measured_at: 'moment',
  recorded_at: 'moment',
  recorded_by: 'text',
  external_id: 'text',
  external_fingerprint: 'text',
} as const satisfies Readonly<Record<string, ColumnKind>>;

const NAMES = Object.keys(KINDS);

const cellsOf = ({ dialect: { moment } }: Access, report: AxisReport) => [
  report.id,
  report.projectId,
  report.releaseId,
  report.axis,
  report.part,
  report.whole,
  report.explanation,
  report.url,
  moment(report.measuredAt),
  moment(report.recordedAt),
  report.recordedBy,
  report.external?.id ?? null,
  report.external?.fingerprint ?? null,
];

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

/** Selects reports as `a`; callers may add conditions. */
const axisReports = (access: Access) =>
  query(access)
    .from('axis_reports as a')
    .select<AxisReportRow[]>(NAMES.map((name) => `a.${name}`));

const SORT = [
  { name: 'a.measured_at', kind: 'moment' },
  { name: 'a.recorded_at', kind: 'moment' },
  { name: 'a.id', kind: 'text' },
] as const;

const listing = (access: Access, { projectId, axis, releaseId, measured }: AxisReportFilter): Listing => {
  const rows = axisReports(access).where({ 'a.project_id': projectId, 'a.axis': axis });
  if (releaseId !== undefined) rows.where('a.release_id', releaseId);
  if (measured !== undefined) rows.where('a.measured_at', '>=', access.dialect.moment(measured.from));
  return { rows, before: measured?.to ?? null, sort: SORT, descending: true };
};

const LATEST_KINDS = {
  release_id: 'id',
  axis: 'text',
  report_id: 'id',
  part: 'integer',
  whole: 'integer',
  explanation: 'text',
  url: 'text',
  measured_at: 'moment',
  recorded_at: 'moment',
} as const;
const LATEST = Object.keys(LATEST_KINDS);

/** Stores the latest report of each axis of a release; one that is older than the stored one changes nothing. */
const storeLatestReports = async (access: Access, reports: readonly AxisReport[]): Promise<void> => {
  const latest = new Map<string, AxisReport>();
  for (const report of reports) {
    const key = `${report.releaseId} ${report.axis}`;
    const other = latest.get(key);
    if (other === undefined || isLaterReport(report, other)) latest.set(key, report);
  }
  const { moment, rowset } = access.dialect;
  const rows = rowset('v', LATEST_KINDS);
  await access.write(
    `insert into latest_axis_reports as l (${LATEST.join(', ')}) select ${LATEST.join(', ')} from ${rows.table} where true
      on conflict (release_id, axis) do update set ${LATEST.slice(2)
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}
        where (excluded.measured_at, excluded.recorded_at, excluded.report_id) > (l.measured_at, l.recorded_at, l.report_id)`,
    rows.bindings(
      [...latest.values()].map((report) => [
        ...[report.releaseId, report.axis, report.id, report.part, report.whole, report.explanation, report.url],
        ...[moment(report.measuredAt), moment(report.recordedAt)],
      ]),
    ),
    'keep-latest-axis-reports',
  );
};

const add = (access: Access, reports: readonly AxisReport[]): Promise<void> =>
  access.atomically(async (inside) => {
    if (reports.length === 0) return;
    const rows = inside.dialect.rowset('v', KINDS);
    await inside.write(
      `insert into axis_reports (${NAMES.join(', ')}) select ${NAMES.join(', ')} from ${rows.table}`,
      rows.bindings(reports.map((report) => cellsOf(inside, report))),
      'insert-axis-reports',
    );
    await storeLatestReports(inside, reports);
    const causes = [...groupedBy(reports, ({ releaseId }) => releaseId)].map(([releaseId, ofRelease]) => ({
      releaseId,
      causes: ofRelease.map(({ id, axis, recordedAt }) => axisReportMove(id, axis, recordedAt)),
    }));
    await markReleases(inside, causes);
  });

/** Finds the report of each lookup. Skips those recorded after their release shipped, of which there are few. */
const latest = async (access: Access, lookups: readonly LatestReportLookup[]) => {
  const { cluster, moment, rowset } = access.dialect;
  const asked = rowset('v', {
    place: 'integer',
    release_id: 'id',
    axis: 'text',
    measured_at: 'moment',
    recorded_at: 'moment',
    id: 'id',
  });
  // On a cluster one worker has all reports of a project: a statement that names the project goes to that worker.
  const ofProject = (report: string): string => (cluster === null ? '' : `${report}.project_id = ? and`);
  const sql = `select v.place, ${NAMES.map((name) => `a.${name}`).join(', ')} from ${asked.table} join releases r on r.id = v.release_id
      join axis_reports a on ${ofProject('a')} a.id = (select n.id from axis_reports n where ${ofProject('n')} n.release_id = v.release_id
        and n.axis = v.axis and (r.shipped_at is null or n.recorded_at < r.shipped_at)
        and (v.id is null or (n.measured_at, n.recorded_at, n.id) < (v.measured_at, v.recorded_at, v.id))
      order by n.measured_at desc, n.recorded_at desc, n.id desc limit 1)`;
  const bound = (places: Iterable<readonly [number, LatestReportLookup]>): readonly Value[] =>
    asked.bindings(
      [...places].map(([place, { releaseId, axis, before }]) => {
        const order =
          before === null ? [null, null, null] : [moment(before.measuredAt), moment(before.recordedAt), before.id];
        return [place, releaseId, axis, ...order];
      }),
    );
  type Found = AxisReportRow & { readonly place: number };
  const found = (bindings: readonly Value[]): Promise<readonly Found[]> =>
    access.read<Found>(sql, bindings, 'latest-axis-reports');
  const ofEach = (): Promise<readonly Found[]> => {
    const byProject = groupedBy([...lookups.entries()], ([, { projectId }]) => projectId);
    return rowsOfEach([...byProject.keys()], (id) => found([...bound(byProject.get(id) ?? []), id, id]));
  };
  const rows = await (cluster === null ? found(bound(lookups.entries())) : ofEach());
  const byPlace = new Map(rows.map((row) => [row.place, axisReportOf(row)]));
  return lookups.map((_, place) => byPlace.get(place));
};

export const axisReportStore = (access: Access): AxisReportStore => ({
  add: (reports) => add(access, reports),
  byIds: async (reportIds) => {
    const rows = await rowsOfIds(access, reportIds, () =>
      axisReports(access).where(among(access, 'a.id', 'id', reportIds)),
    );
    return inRequestedOrder(reportIds, rows.map(axisReportOf), ({ id }) => id);
  },
  byExternalIds: async (projectId, axis, externalIds) => {
    const rows = await axisReports(access)
      .where({ 'a.project_id': projectId, 'a.axis': axis })
      .where(among(access, 'a.external_id', 'text', externalIds));
    return inRequestedOrder(externalIds, rows.map(axisReportOf), ({ external }) => external?.id ?? '');
  },
  page: (filter, page) =>
    keysetPage(access, listing(access, filter), page, axisReportOf, ({ measuredAt, recordedAt, id }) => [
      measuredAt,
      recordedAt,
      id,
    ]),
  lastRecorded: (projectIds) =>
    // Reads only the stored latest report of each release and axis: a project may have millions of reports.
    lastMomentOfEach(
      access,
      (project) => `select l.recorded_at as at from latest_axis_reports l join releases r on r.id = l.release_id
        where r.project_id = ${project} order by l.measured_at desc, l.recorded_at desc, l.report_id desc limit 1`,
      projectIds,
    ),
  latest: (lookups) => latest(access, lookups),
});
