import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { endWithClient } from '../postgres/transaction.js';
import { knexInside } from '../query.js';
import type { Access } from '../sql.js';

/** One step forward of the schema. Steps are never changed once released: the next change is a new step. */
export interface SchemaStep {
  readonly name: string;
  /** Carried out in order, in one transaction. */
  statements(dialect: Dialect): readonly string[];
}

/**
 * Lets knex take the missing steps, each in a transaction of its own with its entry in knex's record. A process that is
 * killed leaves each step either taken or not begun, and leaves knex's own lock, a row, as it was. Processes that start
 * at the same time wait for each other.
 * @throws Error when the schema has taken steps that are not among these, or the record is that of another program,
 * with nothing changed
 */
export const takeSteps = async (access: Access, steps: readonly SchemaStep[]): Promise<void> => {
  const takeNext = (): Promise<boolean> =>
    access.atomically(async (inside) => {
      await begin(inside);
      const taken = await takenSteps(inside);
      requireKnownSteps(taken, steps);
      const { migrate } = knexInside(inside);
      // Steps in another order or of another program were refused above, with a message of ours.
      const config = { migrationSource: sourceOf(inside.dialect, steps), disableMigrationsListValidation: true };
      await adoptRecord(inside, () => migrate.list(config));
      if (taken.length === steps.length) return false;
      await migrate.up(config);
      return true;
    });
  while (await takeNext());
};

/** Entries of ours would make the other program refuse to start. */
const foreignRecord = (): Error =>
  new Error(
    'The database has a table knex_migrations of another program: give Shipworthy a database of its own. Nothing was changed.',
  );

/** The number of steps the schema has taken; 0 for an empty database. */
export const schemaVersion = async (access: Access): Promise<number> => (await takenSteps(access)).length;

/** @throws Error when the schema has taken steps that this program does not know: a later version changed it */
export const requireKnownSteps = (taken: readonly string[], steps: readonly Pick<SchemaStep, 'name'>[]): void => {
  const unknown = unknownSteps(taken, steps);
  if (unknown.length === 0) return;
  throw new Error(
    `The database was changed by a later version: this program does not know the schema's ${
      unknown.length === 1 ? 'step' : 'steps'
    } ${unknown.join(', ')}. Start the later version, or restore a backup from before the upgrade. Nothing was changed.`,
  );
};

/** The taken steps that differ from the program's step at their place, as `16 "returns"`; none when all are known. */
export const unknownSteps = (taken: readonly string[], steps: readonly Pick<SchemaStep, 'name'>[]): readonly string[] =>
  taken.flatMap((name, place) => (name === steps[place]?.name ? [] : [`${place + 1} "${name}"`]));

// The key of the advisory lock for migrations: an arbitrary number that all instances share.
const LOCK = 7_390_214_881;

const begin = async (access: Access): Promise<void> => {
  const { dialect, write } = access;
  if (dialect.name === 'sqlite') return;
  // Waiting for another starting process, and a step over many rows, may take longer than a request's statement.
  await write('set local statement_timeout = 0');
  await endWithClient(access);
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

/** The steps as knex takes them. */
const sourceOf = (dialect: Dialect, steps: readonly SchemaStep[]): Knex.MigrationSource<SchemaStep> => ({
  getMigrations: async () => [...steps],
  getMigrationName: ({ name }) => name,
  getMigration: async (step) => ({
    up: async (knex) => {
      for (const statement of step.statements(dialect)) await knex.raw(statement);
    },
    down: () => Promise.reject(new Error(`The step "${step.name}" is not taken back; restore a backup instead.`)),
  }),
});

/**
 * Shows knex's record under the name and columns of the record that earlier versions kept: such a version looks there for steps
 * newer than its own.
 */
export const SCHEMA_STEPS_VIEW = `create view schema_steps as select row_number() over (order by id) as version, name,
  migration_time as taken_at from knex_migrations`;

/** Makes knex's record of taken steps from the record that earlier versions kept, once, where there is none. */
const adoptRecord = async (access: Access, ensureRecord: () => Promise<unknown>): Promise<void> => {
  const { dialect, read, write } = access;
  const [record] = await read<{ kind: string }>(
    dialect.name === 'sqlite'
      ? `select type as kind from sqlite_master where name = 'schema_steps'`
      : `select case relkind when 'v' then 'view' else 'table' end as kind from pg_class where oid = to_regclass('schema_steps')`,
  );
  if (record?.kind === 'view') return;
  if (record === undefined && (await knexInside(access).schema.hasTable('knex_migrations'))) throw foreignRecord();
  await ensureRecord();
  if (record !== undefined) {
    await write(`insert into knex_migrations (name, batch, migration_time)
      select name, 1, taken_at from schema_steps order by version`);
    await write('drop table schema_steps');
  }
  await write(SCHEMA_STEPS_VIEW);
};
