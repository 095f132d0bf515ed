import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { remove } from './sql.js';

const PORTION = 5000;

/** The rows of one portion by where they lie: by a key, a database may well compare it with that of every row there is. */
const portionOf = ({ dialect }: Access, table: string, condition: string, order: string): string => {
  const chosen = (place: string): string =>
    `select ${place} from ${table} where ${condition} order by ${order} limit ${PORTION}`;
  return dialect.name === 'sqlite' ? `rowid in (${chosen('rowid')})` : `ctid = any(array(${chosen('ctid')}))`;
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
  const portion = portionOf(access, table, condition, condition.split(' ', 1).join());
  let removed = 0;
  for (;;) {
    const gone = await remove(access, table, portion, [binding]);
    removed += gone;
    if (gone < PORTION) return removed;
  }
};
