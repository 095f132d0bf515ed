// SQL by hand: one statement, whose plan the database keeps, reads all that a release is judged by. Every view of a
// release and every trend waits for it.
import type { ActiveRevision, ReleaseRevision } from '@shipworthy/domain';
import { NAMED_ITEMS, RHYTHM_RECORDS } from '@shipworthy/domain/readiness';
import type { Dialect } from './dialect.js';
import { waitForWorkers } from './projects.js';
import { RELEASE_COLUMNS, type ReleaseRow } from './releases.js';
import { ceilingOf, FOREVER, floorOf, HOUR } from './reports/deployment-counts-sql.js';
import { type Access, groupedBy, rowsOfEach, timesIn } from './sql.js';

const DAY = 24 * HOUR;

const issues = ({ jsonArray }: Dialect): string => {
  const count = (condition: string): string => `count(*) filter (where ${condition})`;
  const openBug = (severity: string): string =>
    count(`i.type = 'bug' and i.state <> 'done' and i.severity ${severity}`);
  return `select ${jsonArray}(${count(`i.state = 'done'`)}, count(*),
      ${count(`i.type = 'bug' and i.state = 'done'`)}, ${count(`i.type = 'bug'`)},
      ${openBug(`= 'critical'`)}, ${openBug(`= 'major'`)}, ${openBug(`= 'minor'`)}, ${openBug('is null')})
    from issues i where i.release_id = w.id and i.state <> 'canceled'`;
};

/**
 * Counts the items that apply: done ones, all, and those with evidence. With `exists`, a database may read all evidence
 * there is; with a limit, it does one index lookup per item.
 */
const items = ({ jsonArray }: Dialect): string =>
  `select ${jsonArray}(count(*) filter (where c.state = 'done'), count(*),
      count((select 1 from evidence v where v.item_id = c.id limit 1))) from checklist_items c
    where c.release_id = w.id and c.removed_at is null and (c.state <> 'not_applicable' or c.confirmed_at is null)`;

const openItems = ({ jsonArrayOf }: Dialect): string =>
  `select ${jsonArrayOf}(c.title order by c.position, c.id) from (select title, position, id from checklist_items
    where release_id = w.id and removed_at is null
      and (state = 'open' or (state = 'not_applicable' and confirmed_at is null)) order by position, id limit ${NAMED_ITEMS}) c`;

const markedItems = ({ jsonArray, jsonArrayOf, milliseconds }: Dialect): string =>
  `select ${jsonArrayOf}(${jsonArray}(c.title, c.reason, c.marked_by, ${milliseconds('c.marked_at')}, c.confirmed_by,
      ${milliseconds('c.confirmed_at')}) order by c.position, c.id)
    from (select * from checklist_items where release_id = w.id and removed_at is null and state = 'not_applicable'
      order by position, id limit ${NAMED_ITEMS}) c`;

/**
 * Names removed items only of open releases: those of a closed one are deleted later, which must not change its report.
 */
const removedItems = ({ jsonArray, jsonArrayOf, milliseconds }: Dialect): string =>
  `select case when w.state in ('planned', 'active') then (
    select ${jsonArrayOf}(${jsonArray}(c.title, c.removed_by, ${milliseconds('c.removed_at')}) order by c.position, c.id)
    from (select * from checklist_items where release_id = w.id and removed_at is not null
      order by position, id limit ${NAMED_ITEMS}) c) end`;

/** The latest run of all suites. */
const LATEST = `select b.test_run_id from latest_test_runs b where b.release_id = w.id
  order by b.ran_at desc, b.recorded_at desc, b.test_run_id desc limit 1`;

const runs = ({ jsonArray, milliseconds }: Dialect, rules: string): string =>
  `select ${jsonArray}(sum(l.passed), sum(l.total), min(${milliseconds('l.ran_at')}), count(*), min(l.suite),
      count(l.commit_sha), min(l.commit_sha), max(l.commit_sha))
    from latest_test_runs l where l.release_id = w.id and (${rules}.verification = 'latest_per_suite' or l.test_run_id = (${LATEST}))`;

/**
 * Under `latest_run`: the suite whose latest run has the lowest pass rate, if lower than that of the run that counts.
 * Compares whole numbers of 64 bits.
 */
const worseSuite = ({ jsonArray }: Dialect, rules: string): string =>
  `select ${jsonArray}(l.suite, l.passed, l.total) from latest_test_runs l
    join latest_test_runs c on c.release_id = w.id and c.test_run_id = (${LATEST})
    where l.release_id = w.id and ${rules}.verification = 'latest_run'
      and cast(l.passed as bigint) * c.total < cast(c.passed as bigint) * l.total
    order by cast(l.passed as double precision) / l.total, l.suite limit 1`;

/** The latest report of each own axis. */
const ownReports = ({ jsonArray, jsonArrayOf, milliseconds }: Dialect): string =>
  `select ${jsonArrayOf}(${jsonArray}(x.axis, x.part, x.whole, x.explanation, x.url, ${milliseconds('x.measured_at')})
      order by x.axis)
    from latest_axis_reports x where x.release_id = w.id`;

/** A suite whose latest run is set aside. */
const SET_ASIDE = `select l.suite from latest_test_runs l where l.release_id = w.id and l.set_aside = 1
  order by l.suite limit 1`;

const waivers = ({ jsonArray, jsonArrayOf, milliseconds }: Dialect): string =>
  `select ${jsonArrayOf}(${jsonArray}(a.id, a.code, a.axis, a.text, a.actual, a.created_by, ${milliseconds('a.created_at')},
      ${milliseconds('a.expires_at')}) order by a.created_at, a.id)
    from waivers a where a.release_id = w.id and a.withdrawn_at is null`;

/**
 * The moments of the last RHYTHM_RECORDS records of an open release, by one index scan. `since` is applied afterwards:
 * in the inner query, a database without statistics would sort all records since then.
 */
const lastRecordMoments = (
  { jsonArrayOf, milliseconds }: Dialect,
  from: string,
  column: string,
  since: string,
): string =>
  `select case when w.state in ('planned', 'active') then (select ${jsonArrayOf}(l.at) from
    (select ${milliseconds(column)} as at from ${from} limit ${RHYTHM_RECORDS}) l ${since}) end`;

/** Names in the statements that read counts and records of releases `w`. */
interface SqlNames {
  /** The row that says what counts, by its `environments` and `verification`. */
  readonly rules: string;
  /** The id of the project, as SQL. */
  readonly project: string;
}

const counted = (
  { jsonArray, inJsonArray }: Dialect,
  { rules, project }: SqlNames,
  hours: number,
  from: string,
  to: string,
): string =>
  `select ${jsonArray}(coalesce(sum(c.success), 0), coalesce(sum(c.failure), 0), coalesce(sum(c.started), 0))
    from deployment_counts c where c.project_id = ${project} and c.hours = ${hours}
      and c.bucket >= ${from} and c.bucket < ${to}
      and (${rules}.environments is null or ${inJsonArray('c.environment', `${rules}.environments`)})`;

const scanned = (
  { asMoment, jsonArray, inJsonArray }: Dialect,
  { rules, project }: SqlNames,
  from: string,
  to: string,
): string => {
  const count = (status: string): string => `count(*) filter (where d.status = '${status}')`;
  const inside = `from deployments d where d.project_id = ${project}
      and d.started_at >= ${asMoment(from)} and d.started_at < ${asMoment(to)}
      and (${rules}.environments is null or ${inJsonArray('d.environment', `${rules}.environments`)})`;
  // Subtracts returns, which have a small index of their own: so the index of all deployments needs no column for them.
  const returns = `(select count(*) ${inside} and d.is_return = 1 and d.status = 'success')`;
  return `select ${jsonArray}(${count('success')} - ${returns}, ${count('failure')}, ${count('started')}) ${inside}`;
};

/**
 * The requested releases as `w` with their windows (`s` to `e`) in milliseconds, and the whole hours (`sh`, `eh`) and
 * days (`sd`, `ed`) inside, numbered from 1970.
 */
const windows = (dialect: Dialect, asked: string): string => {
  const end = `case when r.starts_at is not null then
    coalesce(${dialect.milliseconds('coalesce(r.shipped_at, r.canceled_at)')}, ${FOREVER}) end`;
  return `with asked as (select v.place, ${RELEASE_COLUMNS}, ${dialect.milliseconds('r.starts_at')} as s, ${end} as e
      from ${asked} join releases r on r.id = v.id),
    w as (select asked.*, ${ceilingOf('s', HOUR)} as sh, ${floorOf('e', HOUR)} as eh, ${ceilingOf('s', DAY)} as sd,
      ${floorOf('e', DAY)} as ed from asked)`;
};

/** The parts that read counts and records; on a cluster they are a statement of their own. */
const recordParts = (dialect: Dialect, names: SqlNames): Readonly<Record<string, string>> => {
  const { greatest, least } = dialect;
  const { project } = names;
  const ofProject = dialect.cluster === null ? '' : `t.project_id = ${project} and`;
  return {
    days: counted(dialect, names, 24, 'w.sd', 'w.ed'),
    hours_before: counted(dialect, names, 1, 'w.sh', `${least}(w.sd * 24, w.eh)`),
    hours_after: counted(dialect, names, 1, `${greatest}(w.ed * 24, w.sd * 24)`, 'w.eh'),
    rows_before: scanned(dialect, names, 'w.s', `${least}(w.sh * ${HOUR}, w.e)`),
    rows_after: scanned(dialect, names, `${greatest}(w.eh, w.sh) * ${HOUR}`, 'w.e'),
    last_deployments: lastRecordMoments(
      dialect,
      `deployments d where d.project_id = ${project} order by d.started_at desc, d.id desc`,
      'd.started_at',
      'where l.at >= w.s',
    ),
    last_test_runs: lastRecordMoments(
      dialect,
      `test_runs t where ${ofProject} t.release_id = w.id order by t.ran_at desc, t.recorded_at desc, t.id desc`,
      't.ran_at',
      '',
    ),
  };
};

const listed = (parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts)
    .map(([name, sql]) => `(${sql}) as ${name}`)
    .join(',\n');

/**
 * Returns the statement that reads everything the reports of any number of releases are computed from; on a cluster,
 * all but counts and records. The deployments of a window are its whole days, the whole hours before and after them,
 * and the rows of the rest at both ends: never more than two hours of rows, however long the window is. The project's
 * policy decides what counts or, if `given`, that row `u` of environments and verification.
 */
export const factsSql = (dialect: Dialect, asked: string, given?: string): string => {
  const rules = given === undefined ? 'o' : 'u';
  const parts = {
    issues: issues(dialect),
    items: items(dialect),
    open_items: openItems(dialect),
    marked_items: markedItems(dialect),
    removed_items: removedItems(dialect),
    runs: runs(dialect, rules),
    worse_suite: worseSuite(dialect, rules),
    set_aside: SET_ASIDE,
    own_reports: ownReports(dialect),
    waivers: waivers(dialect),
    ...(dialect.cluster === null ? recordParts(dialect, { rules, project: 'w.project_id' }) : {}),
  };
  return `${windows(dialect, asked)}
    select w.*, p.team_id, p.name as project_name, o.policy, o.version as policy_version,
      o.changed_at as policy_changed_at, o.changed_by as policy_changed_by, m.revision, m.changed_at,
      l.issues_as_of, l.pending,
      ${dialect.cluster === null ? '' : `${rules}.environments,`} ${listed(parts)}
    from w join projects p on p.id = w.project_id
      join policies o on o.project_id = p.id and o.version = p.policy_version
      join release_marks m on m.release_id = w.id
      left join repository_links l on l.project_id = w.project_id and w.state in ('planned', 'active')
      ${given === undefined ? '' : `cross join ${given}`}`;
};

/** A release with its window, as `factsSql` selects it; the numbers are null without a window. */
export interface WindowRow {
  readonly place: number;
  readonly id: string;
  readonly project_id: string;
  readonly state: ReleaseRow['state'];
  /** The environments that count, as JSON; null: all. */
  readonly environments: string | null;
  readonly s: number | null;
  readonly e: number | null;
  readonly sh: number | null;
  readonly eh: number | null;
  readonly sd: number | null;
  readonly ed: number | null;
}

const WINDOW = {
  place: 'integer',
  id: 'id',
  state: 'text',
  environments: 'text',
  s: 'count',
  e: 'count',
  sh: 'count',
  eh: 'count',
  sd: 'count',
  ed: 'count',
} as const;
const WINDOW_COLUMNS = Object.keys(WINDOW) as (keyof typeof WINDOW)[];

/** On a cluster: adds what is read from counts and records to the rows of releases, by one statement per project. */
export const withRecords = async <Row extends WindowRow>(
  access: Access,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const { dialect, read } = access;
  const w = dialect.rowset('w', WINDOW);
  const parts = listed(recordParts(dialect, { rules: 'u', project: '?' }));
  const sql = `select w.place, ${parts} from (select ${WINDOW_COLUMNS.join(', ')} from ${w.table}) w
    cross join lateral (select cast(w.environments as ${dialect.types.json}) as environments) u`;
  const byProject = groupedBy(rows, ({ project_id }) => project_id);
  await waitForWorkers(access, [...byProject.keys()]);
  const found = await rowsOfEach([...byProject.keys()], (id) => {
    const windows = (byProject.get(id) ?? []).map((row) => WINDOW_COLUMNS.map((column) => row[column]));
    return read<{ readonly place: number }>(sql, [...timesIn(parts, id), ...w.bindings(windows)], 'release-records');
  });
  const byPlace = new Map(found.map((record) => [record.place, record]));
  return rows.map((row) => ({ ...row, ...byPlace.get(row.place) }));
};

/** The revisions of releases, in the order asked. */
export const revisions = async (access: Access, releaseIds: readonly string[]) => {
  const { among, list } = access.dialect;
  const rows = await access.read<{ release_id: string; revision: number; changed_at: number }>(
    `select release_id, revision, changed_at from release_marks where ${among('release_id', 'id')}`,
    [list([...new Set(releaseIds)])],
    'release-revisions',
  );
  const byId = new Map<string, ReleaseRevision>(
    rows.map(({ release_id, revision, changed_at }) => [release_id, { revision, changedAt: changed_at }]),
  );
  return releaseIds.map((id) => byId.get(id));
};

/** The revisions of the active releases of projects, in the order asked. */
export const activeRevisions = async (access: Access, projectIds: readonly string[]) => {
  const { among, list } = access.dialect;
  const rows = await access.read<{ project_id: string; release_id: string; revision: number; changed_at: number }>(
    `select r.project_id, m.release_id, m.revision, m.changed_at from releases r
      join release_marks m on m.release_id = r.id where ${among('r.project_id', 'id')} and r.state = 'active'`,
    [list([...new Set(projectIds)])],
    'active-revisions',
  );
  const byProject = new Map<string, ActiveRevision>(
    rows.map(({ project_id, release_id, revision, changed_at }) => [
      project_id,
      { releaseId: release_id, revision, changedAt: changed_at },
    ]),
  );
  return projectIds.map((id) => byProject.get(id));
};
