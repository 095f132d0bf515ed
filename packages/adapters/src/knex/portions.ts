import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { remove } from './sql.js';

const PORTION = 5000;

/**
 * Removes all rows whose moment meets the condition, the oldest first and some thousands at a time, so that no statement
 * lasts long; answers how many. In that order each portion begins where the last one ended: in none, a database may look
 * again and again through what is gone already.
 * @param key the columns that tell rows apart
 */
export const removeInPortions = async (
  access: Access,
  table: string,
  condition: `${string} ${'<' | '<='} ?`,
  binding: Value,
  key = 'id',
): Promise<number> => {
  const [moment] = condition.split(' ', 1);
  const portion = `(${key}) in (select ${key} from ${table} where ${condition} order by ${moment} limit ${PORTION})`;
  let removed = 0;
  for (;;) {
    const gone = await remove(access, table, portion, [binding]);
    removed += gone;
    if (gone < PORTION) return removed;
  }
};
