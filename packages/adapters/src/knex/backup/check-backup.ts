import { requireKnownSteps, unknownSteps } from '../migrations/known-steps.js';
import { STEPS } from '../migrations/steps.js';
import { type Connection, closed, connected, rowsOf } from '../sqlite-connection.js';

const requireIntact = async (connection: Connection): Promise<void> => {
  const [first] = await rowsOf<{ readonly integrity_check: string }>(connection, 'pragma integrity_check(1)');
  if (first?.integrity_check !== 'ok') throw new Error(`The backup is damaged: ${first?.integrity_check}`);
};

/** The names of the steps a SQLite file has taken; null: it has no list of them. */
const takenSteps = async (connection: Connection): Promise<readonly string[] | null> => {
  const [table] = await rowsOf(connection, `select 1 as there from sqlite_master where name = 'schema_steps'`);
  if (table === undefined) return null;
  const rows = await rowsOf<{ readonly name: string }>(connection, 'select name from schema_steps order by version');
  return rows.map(({ name }) => name);
};

/** Demands that no later version changed the schema of the file that is backed up. @throws Error that names the steps */
export const requireOwnSchema = async (connection: Connection): Promise<void> =>
  requireKnownSteps((await takenSteps(connection)) ?? [], STEPS);

const requireKnownBackup = async (connection: Connection): Promise<void> => {
  const taken = await takenSteps(connection);
  if (taken === null) throw new Error('The backup is no database of Shipworthy.');
  if (taken.length > STEPS.length)
    throw new Error(
      `The backup is of a later version: its schema has ${taken.length} steps, this one ${STEPS.length}.`,
    );
  if (taken.length === 0 || unknownSteps(taken, STEPS).length > 0)
    throw new Error('The backup has taken other steps than this version knows.');
};

/** Demands that a SQLite file is intact and of a schema that this version knows or can bring up to date. @throws Error that says what is wrong */
export const checkBackup = async (file: string): Promise<void> => {
  const connection = await connected(file);
  try {
    await requireIntact(connection);
    await requireKnownBackup(connection);
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB';
    throw isForeign ? new Error('The backup is no SQLite database.') : error;
  } finally {
    await closed(connection);
  }
};
