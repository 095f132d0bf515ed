import type { KeptRecordsStore, RemovedPortion, RemovedRecords } from '@shipworthy/domain';
import type { Access } from './access.js';
import { floorOf, HOUR } from './buckets.js';
import { momentOrNull, remove } from './sql.js';

const DAY = 24 * HOUR;
/** Rows of each kind that one portion removes at most. */
const PORTION = 5_000;

interface DueProject {
  readonly id: string;
  readonly team_id: string;
  /** Milliseconds since 1970: what started before goes. */
  readonly edge: number;
}

/** From when on a project's deployments stay: the moment asked for, or the day its first open release begins in. */
const edgeOf = ({ dialect: { least, milliseconds } }: Access): string => {
  const first = `(select min(r.starts_at) from releases r where r.project_id = p.id and r.state in ('planned', 'active'))`;
  return `${floorOf(`${least}(v.before, coalesce(${milliseconds(first)}, v.before))`, DAY)} * ${DAY}`;
};

/** The next project that has something to remove, held still; one that somebody else holds is left for another time. */
const nextDue = async (access: Access, before: number, from: string | null): Promise<DueProject | undefined> => {
  const { dialect } = access;
  const asked = dialect.rowset('v', { before: 'count', at: 'moment', place: 'id' });
  const hold = dialect.name === 'sqlite' ? '' : 'for no key update of p skip locked';
  const [row] = await access.write<DueProject>(
    `select p.id, p.team_id, ${edgeOf(access)} as edge from ${asked.table} join projects p on v.place is null or p.id >= v.place
      where exists (select 1 from deployments d where d.project_id = p.id and d.started_at < ${dialect.asMoment(edgeOf(access))})
        or exists (select 1 from releases c join test_runs t on t.release_id = c.id
          where c.project_id = p.id and c.state in ('shipped', 'canceled') and t.ran_at < v.at)
      order by p.id limit 1 ${hold}`,
    asked.bindings([[before, dialect.moment(before), from]]),
  );
  return row;
};

/** Removes the oldest rows that the query finds; answers how many. */
const removeFound = (
  access: Access,
  table: string,
  from: string,
  order: string,
  bindings: readonly (string | number)[],
): Promise<number> => {
  const found = (place: string): string => `select ${table}.${place} from ${from} order by ${order} limit ${PORTION}`;
  const where =
    access.dialect.name === 'sqlite' ? `rowid in (${found('rowid')})` : `ctid = any(array(${found('ctid')}))`;
  return remove(access, table, where, bindings);
};

const removeOf = async (access: Access, project: DueProject, before: number): Promise<RemovedRecords> => {
  const { moment, greatest } = access.dialect;
  const deployments = await removeFound(
    access,
    'deployments',
    'deployments where deployments.project_id = ? and deployments.started_at < ?',
    'deployments.started_at, deployments.id',
    [project.id, moment(project.edge)],
  );
  const testRuns = await removeFound(
    access,
    'test_runs',
    `releases c join test_runs on test_runs.release_id = c.id
      where c.project_id = ? and c.state in ('shipped', 'canceled') and test_runs.ran_at < ?`,
    'test_runs.ran_at, test_runs.id',
    [project.id, moment(before)],
  );
  const later = (column: string): string => `${column} = ${greatest}(coalesce(${column}, ?), ?)`;
  const since = [momentOrNull(access, project.edge), momentOrNull(access, before)];
  await access.write(`update projects set ${later('deployments_since')}, ${later('test_runs_since')} where id = ?`, [
    ...[since[0] ?? null, since[0] ?? null, since[1] ?? null, since[1] ?? null],
    project.id,
  ]);
  return { projectId: project.id, teamId: project.team_id, deployments, testRuns };
};

const removeBefore = (access: Access, before: number, from: string | null): Promise<RemovedPortion> =>
  access.atomically(async (inside) => {
    const due = await nextDue(inside, before, from);
    if (due === undefined) return { removed: [], next: null };
    return { removed: [await removeOf(inside, due, before)], next: due.id };
  });

export const keptRecordsStore = (access: Access): KeptRecordsStore => ({
  since: async (projectId) => {
    const [row] = await access.read<{ deployments_since: number | null; test_runs_since: number | null }>(
      'select deployments_since, test_runs_since from projects where id = ?',
      [projectId],
    );
    return { deployments: row?.deployments_since ?? null, testRuns: row?.test_runs_since ?? null };
  },
  removeBefore: (before, from) => removeBefore(access, before, from),
});
