// SQL by hand: old records go in portions, by where they lie, and the next project to tend is found by one statement that steps over
// held ones.
import type { KeptRecordsStore, RemovedPortion, RemovedRecords } from '@shipworthy/domain/ports';
import { query } from '../query.js';
import { type Access, removePortion } from '../sql.js';
import { defaultOf, keptFrom, partitionsOf } from './definitions-sql.js';
import { dropOldest } from './tend-sql.js';

/** No id is smaller. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface DueProject {
  readonly id: string;
  readonly team_id: string;
  /** Milliseconds since 1970: what started before goes. */
  readonly edge: number;
}

/** The tables that are looked through. */
interface Tables {
  readonly deployments: string;
  readonly testRuns: string;
}

const WHOLE: Tables = { deployments: 'deployments', testRuns: 'test_runs' };
/** The default partitions, for rows that fit no month; all other rows are removed with their month. */
const REST: Tables = { deployments: defaultOf('deployments'), testRuns: defaultOf('test_runs') };

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
  const [row] = await access.write<DueProject>(
    `select p.id, p.team_id, ${keptFrom(access)} as edge from ${asked.table} join projects p on v.place is null or p.id >= v.place
      where exists (select 1 from ${deployments} d where d.project_id = p.id and d.started_at < ${dialect.asMoment(keptFrom(access))})
        or exists (select 1 from releases c join ${testRuns} t on t.release_id = c.id
          where c.project_id = p.id and c.state in ('shipped', 'canceled') and t.ran_at < v.at)
      order by p.id limit 1 ${hold}`,
    asked.bindings([[before, dialect.moment(before), from]]),
  );
  return row;
};

const removeOf = async (
  access: Access,
  tables: Tables,
  project: DueProject,
  before: number,
): Promise<RemovedRecords> => {
  const { moment, greatest } = access.dialect;
  const { id, team_id: teamId } = project;
  const [edge, end] = [moment(project.edge), moment(before)];
  const deployments = await removePortion(
    access,
    tables.deployments,
    `${tables.deployments} t where t.project_id = ? and t.started_at < ?`,
    't.started_at, t.id',
    [id, edge],
  );
  const testRuns = await removePortion(
    access,
    tables.testRuns,
    `releases c join ${tables.testRuns} t on t.release_id = c.id
      where c.project_id = ? and c.state in ('shipped', 'canceled') and t.ran_at < ?`,
    't.ran_at, t.id',
    [id, end],
  );
  const later = (column: string): string => `${column} = ${greatest}(coalesce(${column}, ?), ?)`;
  await access.write(`update projects set ${later('deployments_since')}, ${later('test_runs_since')} where id = ?`, [
    ...[edge, edge, end, end],
    id,
  ]);
  return { projectId: id, teamId, deployments, testRuns };
};

const removeBefore = (access: Access, before: number, from: string | null): Promise<RemovedPortion> =>
  access.atomically(async (inside) => {
    const partitioned = (await partitionsOf(inside)).length > 0;
    const dropped = partitioned ? await dropOldest(inside, before) : null;
    if (dropped !== null) return { removed: dropped, next: FIRST_ID };
    const tables = partitioned ? REST : WHOLE;
    const due = await nextDue(inside, tables, before, from);
    if (due === undefined) return { removed: [], next: null };
    return { removed: [await removeOf(inside, tables, due, before)], next: due.id };
  });

export const keptRecordsStore = (access: Access): KeptRecordsStore => ({
  since: async (projectId) => {
    const row = await query(access)
      .from('projects')
      .where('id', projectId)
      .first('deployments_since', 'test_runs_since');
    return { deployments: row?.deployments_since ?? null, testRuns: row?.test_runs_since ?? null };
  },
  removeBefore: (before, from) => removeBefore(access, before, from),
});
