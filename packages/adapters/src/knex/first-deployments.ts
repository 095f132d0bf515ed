import type { FirstDeployments, Interval } from '@shipworthy/domain';
import type { Access } from './access.js';

/** Stands for the end of an open interval: the last moment a database can hold. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

interface FirstRow {
  readonly place: number;
  readonly started_at: number | null;
  readonly succeeded_at: number | null;
}

/** The first deployments that started in each of the intervals, in the order asked; each is one look into an index. */
export const firstOf = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  started: readonly Interval[],
): Promise<readonly FirstDeployments[]> => {
  const { dialect } = access;
  const asked = dialect.rowset('v', { place: 'integer', begins: 'moment', ends: 'moment' });
  const counts = environments === null ? '' : `and ${dialect.among('d.environment', 'text')}`;
  const first = (column: string, condition: string): string =>
    `(select d.${column} from deployments d where d.project_id = ? and d.started_at >= v.begins
      and d.started_at < v.ends
      and (d.is_return is null or d.status <> 'success') ${counts} ${condition} order by d.started_at, d.id limit 1)`;
  const named = [projectId, ...(environments === null ? [] : [dialect.list(environments)])];
  const rows = await access.read<FirstRow>(
    `select v.place, ${first('started_at', '')} as started_at,
      ${first('finished_at', `and d.status = 'success'`)} as succeeded_at from ${asked.table}`,
    [
      ...named,
      ...named,
      ...asked.bindings(
        started.map(({ from, to }, place) => [place, dialect.moment(from), dialect.moment(to ?? LAST_MOMENT)]),
      ),
    ],
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return started.map((_, place) => {
    const row = byPlace.get(place);
    return { startedAt: row?.started_at ?? null, succeededAt: row?.succeeded_at ?? null };
  });
};
