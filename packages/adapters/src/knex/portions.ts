import type { Access } from './access.js';
import type { Value } from './dialect.js';
import { remove } from './sql.js';

const PORTION = 5000;

/** Removes all rows that meet the condition, some thousands at a time, so that no statement lasts long; answers how many. */
export const removeInPortions = async (
  access: Access,
  table: string,
  condition: string,
  binding: Value,
): Promise<number> => {
  let removed = 0;
  for (;;) {
    const portion = `id in (select id from ${table} where ${condition} limit ${PORTION})`;
    const gone = await remove(access, table, portion, [binding]);
    removed += gone;
    if (gone < PORTION) return removed;
  }
};
