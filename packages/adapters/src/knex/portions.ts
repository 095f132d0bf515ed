import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { remove } from './sql.js';

const PORTION = 5000;

/**
 * Removes one portion of a table's rows; answers how many. They are found by where they lie: by a key, a database may well
 * compare it with that of every row there is.
 * @param from SQL from the tables on, in which `t` is the table, to the end of the condition
 */
export const removePortion = (
  access: Access,
  table: string,
  from: string,
  order: string,
  bindings: readonly Value[],
): Promise<number> => {
  const found = (place: string): string => `select t.${place} from ${from} order by ${order} limit ${PORTION}`;
  const where =
    access.dialect.name === 'sqlite' ? `rowid in (${found('rowid')})` : `ctid = any(array(${found('ctid')}))`;
  return remove(access, table, where, bindings);
};

/**
 * Removes all rows whose moment meets the condition, the oldest first and some thousands at a time, so that no statement
 * lasts long; answers how many. In that order each portion begins where the last one ended: in none, a database may look
 * again and again through what is gone already.
 */
export const removeInPortions = async (
  access: Access,
  table: string,
  condition: `${string} ${'<' | '<='} ?`,
  binding: Value,
): Promise<number> => {
  const order = condition.split(' ', 1).join();
  let removed = 0;
  for (;;) {
    const gone = await removePortion(access, table, `${table} t where ${condition}`, order, [binding]);
    removed += gone;
    if (gone < PORTION) return removed;
  }
};
