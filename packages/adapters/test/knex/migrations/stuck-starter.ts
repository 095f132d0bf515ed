// A starter that gets stuck in a step: it tells its parent when it is there, and waits to be killed.
// Environment: PLACE, the database; TAKEN, the steps it has taken; STATEMENT, before which of the next one's it stops.

import { openDatabase } from '../../../src/knex/index.js';
import { takeSteps } from '../../../src/knex/migrations/migrate.js';
import { SCHEMA_STEPS } from '../../../src/knex/migrations/steps.js';
import type { Access } from '../../../src/knex/sql.js';

const { PLACE = '', TAKEN = '', STATEMENT = '' } = process.env;
const taken = Number(TAKEN);
const database = await openDatabase({ url: PLACE });
const statements = SCHEMA_STEPS[taken]?.statements(database.access.dialect) ?? [];

const forEver = (): Promise<never> => {
  process.send?.('here');
  setInterval(() => undefined, 60_000);
  return new Promise(() => undefined);
};

let done = 0;

/** Behind the last statement: before the step is noted as taken. */
const isThere = (text: string): boolean =>
  done === Number(STATEMENT) && (statements.includes(text) || /^insert into .knex_migrations. /.test(text));

const stuck = (access: Access): Access => ({
  ...access,
  write: (text, bindings, name) => {
    if (isThere(text)) return forEver();
    if (statements.includes(text)) done += 1;
    return access.write(text, bindings, name);
  },
  atomically: (work) => access.atomically((inside) => work(stuck(inside))),
});

await takeSteps(stuck(database.access), SCHEMA_STEPS.slice(0, taken + 1));
