import type { Query } from './query.js';

/** What PostgreSQL has to be told at its start so that it counts statements. */
export const COUNTING = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=on'];

const CALLS = `
  select queryid || ' ' || toplevel as statement, calls from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())`;

const callsBy = async (query: Query): Promise<ReadonlyMap<string, number>> =>
  new Map((await query(CALLS)).map(({ statement, calls }) => [String(statement), Number(calls)]));

/**
 * How many statements one piece of work sends to a PostgreSQL that was started with `COUNTING`. It is done often:
 * what the server does by itself meanwhile, or only now and then, does not come as often, or twice as often.
 */
export const statementsOf = async (query: Query, often: number, work: () => Promise<unknown>): Promise<number> => {
  await query('create extension if not exists pg_stat_statements');
  const before = await callsBy(query);
  for (let time = 0; time < often; time += 1) await work();
  const after = await callsBy(query);
  return [...after].reduce((sum, [name, calls]) => {
    const more = calls - (before.get(name) ?? 0);
    return more % often === 0 ? sum + more / often : sum;
  }, 0);
};
