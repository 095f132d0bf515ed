import type { Database } from '../../src/knex/index.js';
import type { Access } from '../../src/knex/sql.js';

/** The database with a count of the statements that are sent to it. */
export const counted = (database: Database): { readonly database: Database; statements(): number } => {
  let statements = 0;
  const over = (access: Access): Access => ({
    ...access,
    read: (...given) => {
      statements += 1;
      return access.read(...given);
    },
    write: (...given) => {
      statements += 1;
      return access.write(...given);
    },
    atomically: (work) => access.atomically((inside) => work(over(inside))),
  });
  return { database: { ...database, access: over(database.access) }, statements: () => statements };
};
