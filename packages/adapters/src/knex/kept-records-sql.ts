// SQL by hand: whole partitions are dropped where there are some. Elsewhere old records are removed in portions, found by
// their physical place, and one statement finds the next project and skips locked ones.
import { ALLOWED_CLOCK_LEAD } from '@shipworthy/domain';
import type { KeptRecordsStore, RemovedPortion, RemovedRecords } from '@shipworthy/domain/ports';
import {
  defaultOf,
  keptFrom,
  LOCK_WAIT,
  PARTITION_LOCK,
  type Partition,
  type Partitioned,
  partitionsOf,
  pastOf,
} from './partitions/definitions-sql.js';
import { lockProjects } from './projects.js';
import { query } from './query.js';
import { type Access, removePortion } from './sql.js';

const DAY = 24 * 3_600_000;

/** A partition with more rows than this that open releases still need is not dropped yet. */
const MOST_NEEDED = 100_000;

/** The columns of `projects` with the moment since which all records of a table are still stored. */
const KEPT_SINCE_COLUMN: Readonly<Record<Partitioned, string>> = {
  deployments: 'deployments_since',
  test_runs: 'test_runs_since',
};

// A project without an open release from before `v.before` needs none: its rows are not read.
const needed = (access: Access, { table, name }: Partition): string =>
  table === 'deployments'
    ? `select r.id, r.project_id from ${name} r join (select p.id, ${keptFrom(access)} as edge, v.before from projects p, asked v) k
        on k.id = r.project_id where k.edge < k.before and r.started_at >= ${access.dialect.asMoment('k.edge')}`
    : `select r.id, r.project_id from ${name} r join releases e on e.id = r.release_id where e.state in ('planned', 'active')`;

type Counts = ReadonlyMap<string, number>;

/** Counts the records of a partition, or those in `needed_records`, for each project. */
const countByProject = async (access: Access, relation: string): Promise<Counts> => {
  const rows = await access.read<{ project_id: string; records: number }>(
    `select project_id, count(*) as records from ${relation} group by 1`,
  );
  return new Map(rows.map(({ project_id, records }) => [project_id, records]));
};

/** Locks all projects, so that no release window moves into a dropped partition; reports do not wait for it. */
const lockAll = (access: Access): Promise<readonly { readonly id: string; readonly team_id: string }[]> =>
  access.write('select id, team_id from projects order by id for no key update');

/** Sums up for each team the records that go with a partition: those of all its projects, but for the needed ones. */
const goneOf = (
  table: Partitioned,
  projects: readonly { readonly id: string; readonly team_id: string }[],
  all: Counts,
  kept: Counts,
): readonly RemovedRecords[] => {
  const byTeam = new Map<string, number>();
  for (const { id, team_id } of projects)
    byTeam.set(team_id, (byTeam.get(team_id) ?? 0) + (all.get(id) ?? 0) - (kept.get(id) ?? 0));
  const gone = [...byTeam].filter(([, records]) => records > 0);
  return gone.map(([teamId, records]) => ({
    projectId: null,
    teamId,
    deployments: table === 'deployments' ? records : 0,
    testRuns: table === 'test_runs' ? records : 0,
    axisReports: 0,
  }));
};

/**
 * Stores since when all records of the table are still stored: since `keptSince`, or for deployments since `keptFrom`.
 */
const storeKeptSince = async (access: Access, partition: Partition, keptSince: number): Promise<void> => {
  const column = KEPT_SINCE_COLUMN[partition.table];
  const since =
    partition.table === 'deployments' ? access.dialect.asMoment(keptFrom(access)) : access.dialect.asMoment('v.before');
  await access.write(
    `update projects p set ${column} = greatest(p.${column}, ${since}) from (select ?::bigint as before) v
      where p.${column} is null or p.${column} < ${access.dialect.asMoment('v.before')}`,
    [keptSince],
  );
};

const drop = async (
  access: Access,
  partition: Partition,
  keptSince: number,
): Promise<readonly RemovedRecords[] | null> => {
  const { table, name } = partition;
  // Reads the whole partition, so it comes before the locks: nothing is added to a month that is over.
  const all = await countByProject(access, name);
  const projects = await lockAll(access);
  await access.write(
    `create temp table needed_records on commit drop as with asked as (select ?::bigint as before) ${needed(access, partition)}`,
    [keptSince],
  );
  const [kept] = await access.read<{ rows: number }>('select count(*) as rows from needed_records');
  if (kept === undefined || kept.rows > MOST_NEEDED) {
    await access.write('drop table needed_records');
    return null;
  }
  const gone = goneOf(table, projects, all, await countByProject(access, 'needed_records'));
  await access.write(
    `delete from partition_external_ids e using ${name} r where e.kind = '${table}' and r.external_id is not null
      and e.project_id = r.project_id and e.external_id = r.external_id and e.record_id = r.id`,
  );
  // Comes last, since readers of the table wait from here to the end. The rows that are still needed are copied only
  // after it: until then their deployments could be finished.
  await access.write(`alter table ${table} detach partition ${name}`);
  // Renamed, so that the external ids in it block no new rows.
  await access.write(`alter table ${name} rename to ${name}_going`);
  await access.write(`insert into ${table} select r.* from ${name}_going r join needed_records n on n.id = r.id`);
  await access.write(`drop table ${name}_going`);
  await access.write('drop table needed_records');
  return gone;
};

/** Takes the lock for dropping partitions up to the end of the transaction; false: another instance has it. */
const tryToTend = async (access: Access): Promise<boolean> => {
  const [lock] = await access.write<{ held: boolean }>('select pg_try_advisory_xact_lock(?) as held', [PARTITION_LOCK]);
  return lock?.held === true;
};

/**
 * Drops the oldest partition whose records all began before the moment, and keeps the rows that open releases still
 * need. Must run inside a transaction that holds PARTITION_LOCK. null: there is none.
 */
const dropOldest = async (
  access: Access,
  partitions: readonly Partition[],
  before: number,
): Promise<readonly RemovedRecords[] | null> => {
  await access.write('set local statement_timeout = 0');
  await access.write(`set local lock_timeout = '${LOCK_WAIT}'`);
  for (const partition of partitions) {
    // A record may say that it began up to this lead after it came.
    const keptSince = Math.ceil((partition.until + ALLOWED_CLOCK_LEAD) / DAY) * DAY;
    if (keptSince > before) return null;
    const gone = await drop(access, partition, keptSince);
    if (gone === null) continue;
    await storeKeptSince(access, partition, keptSince);
    return gone;
  }
  return null;
};

/** No id is smaller. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface DueProject {
  readonly id: string;
  readonly team_id: string;
  /** Deployments that started before this moment are removed; milliseconds since 1970. */
  readonly edge: number;
}

/** The tables or partitions from which old records are removed row by row. */
interface Tables {
  readonly deployments: readonly string[];
  readonly testRuns: readonly string[];
}

const WHOLE: Tables = { deployments: ['deployments'], testRuns: ['test_runs'] };

/**
 * The default partitions, whose rows fit no month, and the partitions of what was there before partitioning, which may hold
 * years: waiting until all of that is old would keep the oldest too long. A month's rows go with their month.
 */
const restOf = (partitions: readonly Partition[]): Tables => {
  const rest = (table: Partitioned) => [
    defaultOf(table),
    ...partitions.map(({ name }) => name).filter((name) => name === pastOf(table)),
  ];
  return { deployments: rest('deployments'), testRuns: rest('test_runs') };
};

/** The next project with records to remove, its row locked; one that another instance has locked is skipped. */
const nextDue = async (
  access: Access,
  { deployments, testRuns }: Tables,
  before: number,
  from: string | null,
): Promise<DueProject | undefined> => {
  const { dialect } = access;
  const asked = dialect.rowset('v', { before: 'count', at: 'moment', place: 'id' });
  const hold = dialect.name === 'sqlite' ? '' : 'for no key update of p skip locked';
  const ofClosed = (table: string, measured: string): string =>
    `exists (select 1 from releases c join ${table} t on t.release_id = c.id
      where c.project_id = p.id and c.state in ('shipped', 'canceled') and t.${measured} < v.at)`;
  const edge = dialect.asMoment(keptFrom(access));
  const isDue = [
    ...deployments.map(
      (table) => `exists (select 1 from ${table} d where d.project_id = p.id and d.started_at < ${edge})`,
    ),
    ...testRuns.map((table) => ofClosed(table, 'ran_at')),
    ofClosed('axis_reports', 'measured_at'),
  ].join(' or ');
  const [row] = await access.write<DueProject>(
    `select p.id, p.team_id, ${keptFrom(access)} as edge from ${asked.table} join projects p on v.place is null or p.id >= v.place
      where ${isDue} order by p.id limit 1 ${hold}`,
    asked.bindings([[before, dialect.moment(before), from]]),
  );
  return row;
};

/** How many projects of a cluster one transaction looks through. */
const PROJECTS_LOOKED_AT = 100;

interface Looked {
  readonly due: DueProject | undefined;
  /** The id of the project to continue with when none is due; null: all projects are done. */
  readonly next: string | null;
}

/**
 * On a cluster: does what `nextDue` does, by one statement per project. The lock is an advisory one, and waits until no
 * report of the project is being stored.
 */
const nextDueOfEach = async (access: Access, before: number, from: string | null): Promise<Looked> => {
  const { dialect, read, write } = access;
  const asked = dialect.rowset('v', { before: 'count', place: 'id' });
  const projects = `select p.id, p.team_id, ${keptFrom(access)} as edge from ${asked.table} join projects p on`;
  const found = await read<DueProject>(
    `${projects} (v.place is null or p.id >= v.place) order by p.id limit ${PROJECTS_LOOKED_AT + 1}`,
    asked.bindings([[before, from]]),
  );
  for (const { id, edge } of found.slice(0, PROJECTS_LOOKED_AT)) {
    const [old] = await read<{ there: boolean }>(
      `select exists (select 1 from deployments d where d.project_id = ? and d.started_at < ?)
        or exists (select 1 from test_runs t join releases c on c.id = t.release_id
          where t.project_id = ? and c.state in ('shipped', 'canceled') and t.ran_at < ?)
        or exists (select 1 from axis_reports t join releases c on c.id = t.release_id
          where t.project_id = ? and c.state in ('shipped', 'canceled') and t.measured_at < ?) as there`,
      [id, dialect.moment(edge), ...[id, dialect.moment(before)], ...[id, dialect.moment(before)]],
    );
    if (old?.there !== true) continue;
    const [lock] = await write<{ held: boolean }>(dialect.cluster?.tryLockForRemoval ?? '', [id]);
    if (lock?.held !== true) continue;
    await lockProjects(access, 'alone', [id]);
    const [due] = await read<DueProject>(`${projects} p.id = v.place`, asked.bindings([[before, id]]));
    if (due !== undefined) return { due, next: id };
  }
  return { due: undefined, next: found[PROJECTS_LOOKED_AT]?.id ?? null };
};

const removeOf = async (
  access: Access,
  tables: Tables,
  project: DueProject,
  before: number,
): Promise<RemovedRecords> => {
  const { cluster, moment, greatest } = access.dialect;
  const { id, team_id: teamId } = project;
  const [keptSince, end] = [moment(project.edge), moment(before)];
  const started = (table: string): Promise<number> =>
    removePortion(
      access,
      table,
      `${table} t where t.project_id = ? and t.started_at < ?`,
      't.started_at, t.id',
      [id, keptSince],
      id,
    );
  const ofProject = cluster === null ? '' : 't.project_id = c.project_id and';
  const ofClosed = (table: string, measured: string): Promise<number> =>
    removePortion(
      access,
      table,
      `releases c join ${table} t on ${ofProject} t.release_id = c.id
        where c.project_id = ? and c.state in ('shipped', 'canceled') and t.${measured} < ?`,
      `t.${measured}, t.id`,
      [id, end],
      id,
    );
  let [deployments, testRuns] = [0, 0];
  for (const table of tables.deployments) deployments += await started(table);
  for (const table of tables.testRuns) testRuns += await ofClosed(table, 'ran_at');
  const axisReports = await ofClosed('axis_reports', 'measured_at');
  const later = (column: string): string => `${column} = ${greatest}(coalesce(${column}, ?), ?)`;
  const since = [later('deployments_since'), later('test_runs_since'), later('axis_reports_since')].join(', ');
  await access.write(`update projects set ${since} where id = ?`, [keptSince, keptSince, end, end, end, end, id]);
  return { projectId: id, teamId, deployments, testRuns, axisReports };
};

const removeBefore = (access: Access, before: number, from: string | null): Promise<RemovedPortion> =>
  access.atomically(async (inside) => {
    if (inside.dialect.cluster !== null) {
      const { due, next } = await nextDueOfEach(inside, before, from);
      return { removed: due === undefined ? [] : [await removeOf(inside, WHOLE, due, before)], next };
    }
    const partitioned = (await partitionsOf(inside)).length > 0;
    // Only the instance that may drop partitions removes rows from those it could drop: so each is counted once.
    const partitions = partitioned && (await tryToTend(inside)) ? await partitionsOf(inside) : [];
    const dropped = partitions.length > 0 ? await dropOldest(inside, partitions, before) : null;
    if (dropped !== null) return { removed: dropped, next: FIRST_ID };
    const tables = partitioned ? restOf(partitions) : WHOLE;
    const due = await nextDue(inside, tables, before, from);
    if (due === undefined) return { removed: [], next: null };
    return { removed: [await removeOf(inside, tables, due, before)], next: due.id };
  });

export const keptRecordsStore = (access: Access): KeptRecordsStore => ({
  since: async (projectId) => {
    const row = await query(access)
      .from('projects')
      .where('id', projectId)
      .first('deployments_since', 'test_runs_since', 'axis_reports_since');
    return {
      deployments: row?.deployments_since ?? null,
      testRuns: row?.test_runs_since ?? null,
      axisReports: row?.axis_reports_since ?? null,
    };
  },
  removeBefore: (before, from) => removeBefore(access, before, from),
});
