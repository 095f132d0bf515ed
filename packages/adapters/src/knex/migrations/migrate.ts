import type { Access } from '../sql.js';
import { requireKnownSteps } from './known-steps.js';
import type { SchemaStep } from './step.js';

// Any number will do, as long as every starter of the service takes the same.
const LOCK = 7_390_214_881;

const begin = async ({ dialect, write }: Access): Promise<void> => {
  if (dialect.name === 'sqlite') return;
  // Waiting for another starter, and a step over many rows, may take longer than a request's statement.
  await write('set local statement_timeout = 0');
  // A starter that was killed is noticed at once, and its lock set free, where the server's system can tell.
  await write(
    `do $$ begin perform set_config('client_connection_check_interval', '500', true); exception when others then null; end $$`,
  );
  await write('select pg_advisory_xact_lock(?)', [LOCK]);
};

/** The names of the steps the schema has taken, in their order; none for an empty database. */
const takenSteps = async ({ dialect, read }: Access): Promise<readonly string[]> => {
  const [found] = await read<{ there: number }>(
    dialect.name === 'sqlite'
      ? `select count(*) as there from sqlite_master where name = 'schema_steps'`
      : `select count(to_regclass('schema_steps')) as there`,
  );
  if (found === undefined || found.there === 0) return [];
  const rows = await read<{ name: string }>('select name from schema_steps order by version');
  return rows.map(({ name }) => name);
};

/** The number of steps the schema has taken; 0 for an empty database. */
export const schemaVersion = async (access: Access): Promise<number> => (await takenSteps(access)).length;

/**
 * Takes the steps that are missing, each in a transaction of its own with its entry in the list of taken steps: a process that
 * is killed leaves each step either taken or not begun. Processes that start at the same time wait for each other.
 * @throws Error when the schema has taken steps that are not among these, with nothing changed
 */
export const takeSteps = async (access: Access, steps: readonly SchemaStep[]): Promise<void> => {
  const missing = (): Promise<boolean> =>
    access.atomically(async (inside) => {
      await begin(inside);
      const taken = await takenSteps(inside);
      requireKnownSteps(taken, steps);
      const version = taken.length;
      const step = steps[version];
      if (step === undefined) return false;
      const { types, moment, tableEnd } = inside.dialect;
      await inside.write(
        `create table if not exists schema_steps (
          version ${types.integer} primary key, name ${types.text} not null, taken_at ${types.moment} not null) ${tableEnd}`,
      );
      for (const statement of step.statements(inside.dialect)) await inside.write(statement);
      await inside.write('insert into schema_steps (version, name, taken_at) values (?, ?, ?)', [
        version + 1,
        step.name,
        moment(Date.now()),
      ]);
      return true;
    });
  while (await missing());
};
