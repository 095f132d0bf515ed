import { existsSync, statSync } from 'node:fs';
import { chmod, copyFile, link, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { requireKnownSteps, SCHEMA_STEPS_VIEW, unknownSteps } from '../migrations/migrate.js';
import { SCHEMA_STEPS } from '../migrations/steps.js';
import {
  closeSqliteFile,
  exec,
  lockFile,
  makePrivateFolder,
  openSqliteFile,
  type SqliteConnection,
  sqliteRows,
} from './connection.js';

/** A file that is checked, as messages name it. */
type Checked = 'backup' | 'file';

const requireIntact = async (connection: SqliteConnection, checked: Checked): Promise<void> => {
  const [first] = await sqliteRows<{ readonly integrity_check: string }>(connection, 'pragma integrity_check(1)');
  if (first?.integrity_check !== 'ok') throw new Error(`The ${checked} is damaged: ${first?.integrity_check}`);
};

/** The names of the steps a SQLite file has taken; null: it has no record of steps. */
const takenSteps = async (connection: SqliteConnection): Promise<readonly string[] | null> => {
  const [table] = await sqliteRows(connection, `select 1 as there from sqlite_master where name = 'schema_steps'`);
  if (table === undefined) return null;
  const rows = await sqliteRows<{ readonly name: string }>(
    connection,
    'select name from schema_steps order by version',
  );
  return rows.map(({ name }) => name);
};

/** Demands that no later version changed the schema of the file that is backed up. @throws Error that names the steps */
const requireOwnSchema = async (connection: SqliteConnection): Promise<void> =>
  requireKnownSteps((await takenSteps(connection)) ?? [], SCHEMA_STEPS);

const plainSql = (sql: string): string => sql.replace(/\s+/g, ' ').trim().toLowerCase();

/** An entry of the schema of a SQLite file. */
interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  /** null for an index that belongs to a table's key. */
  readonly sql: string | null;
}

/** What the SQL of an entry begins with, by its type: a file can give the type `table` to the SQL of a virtual one. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  table: /^create table /,
  index: /^create (unique )?index /,
};

const isOwn = ({ type, sql }: SchemaEntry): boolean => {
  if (sql === null) return type === 'index';
  const text = plainSql(sql);
  return text === plainSql(SCHEMA_STEPS_VIEW) || BEGINNINGS[type]?.test(text) === true;
};

/**
 * Demands that a file holds only tables, indexes and the one view of the schema. A foreign trigger would act on later
 * writes, a foreign view would answer in place of a table, and a virtual table has code of its own.
 * @throws Error that names what is foreign
 */
const requireNothingForeign = async (connection: SqliteConnection, checked: Checked): Promise<void> => {
  const entries = await sqliteRows<SchemaEntry>(connection, 'select type, name, sql from sqlite_master order by name');
  const foreign = entries.find((entry) => !isOwn(entry));
  if (foreign === undefined) return;
  const { type, name } = foreign;
  throw new Error(`The ${checked} holds the ${type} ${JSON.stringify(name)}, which no version of Shipworthy made.`);
};

const requireKnownSchema = async (connection: SqliteConnection, checked: Checked): Promise<void> => {
  const taken = await takenSteps(connection);
  if (taken === null) throw new Error(`The ${checked} is no database of Shipworthy.`);
  const unknown = unknownSteps(taken, SCHEMA_STEPS);
  if (taken.length > SCHEMA_STEPS.length)
    throw new Error(
      `The ${checked} is of a later version: this program does not know the schema's step ${unknown.at(-1)}. Start the later version.`,
    );
  if (taken.length === 0 || unknown.length > 0)
    throw new Error(`The ${checked} has taken other steps than this version knows.`);
};

/**
 * Demands that a SQLite file is intact, holds nothing foreign, and has a schema that this version knows or can update.
 * @throws Error that says what is wrong
 */
export const checkSqliteFile = async (file: string, checked: Checked): Promise<void> => {
  const connection = await openSqliteFile(file);
  try {
    // Refuses virtual tables first: the check of the content would run their code.
    await requireNothingForeign(connection, checked);
    await requireIntact(connection, checked);
    await requireKnownSchema(connection, checked);
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB';
    throw isForeign ? new Error(`The ${checked} is no SQLite database.`) : error;
  } finally {
    await closeSqliteFile(connection);
  }
};

/** Has the file's content written to the disk. */
export const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
};

/** Has the names in the file's folder written to the disk, where the system can do so. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};

const BACKUP_WAIT_MS = 5_000;

const writeCopy = async (file: string, to: string): Promise<void> => {
  const connection = await openSqliteFile(file, 'readOnly');
  try {
    await exec(connection, `pragma busy_timeout = ${BACKUP_WAIT_MS}`);
    await requireOwnSchema(connection);
    // One reading transaction: writers are not held up, and the copy is the state at its beginning.
    await sqliteRows(connection, 'vacuum into ?', [to]);
  } finally {
    await closeSqliteFile(connection);
  }
};

/**
 * Writes a consistent copy of a SQLite file to `to`, readable by its owner only and on the disk when this settles;
 * other processes may read and write the file at the same time. The file `to` is never half a copy: it is empty until the
 * copy is whole, and stays so if this process is killed.
 * @throws Error with code `EEXIST` when there is a file `to`; Error that names the steps when a later version changed
 * the schema; what SQLite throws. After the last two, `to` is not there
 */
export const backUpSqlite = async (file: string, to: string): Promise<void> => {
  const part = `${to}.part`;
  // Makes `to` first, so that of two backups at once only one writes.
  await (await open(to, 'wx', 0o600)).close();
  try {
    await rm(part, { force: true });
    await (await open(part, 'wx', 0o600)).close();
    await writeCopy(file, part);
    await syncFile(part);
    await rename(part, to);
    await syncFolder(to);
  } catch (error) {
    await rm(part, { force: true });
    await rm(to, { force: true });
    throw error;
  }
};

export interface Restored {
  /** Where the database that was replaced is now; null: there was none. */
  readonly kept: string | null;
}

const RESTORE_WAIT_MS = 2_000;
/** The endings of the files SQLite keeps beside a database. Left there, they would be taken for parts of the next file of that name. */
const BESIDE = ['-wal', '-shm', '-journal'] as const;
/** The endings of files with content of the database: changes not yet in its file, or pages to be put back into it. */
const CONTENT_BESIDE = ['-wal', '-journal'] as const;

const removeBeside = async (file: string): Promise<void> => {
  for (const beside of BESIDE) await rm(file + beside, { force: true });
};

/**
 * Demands that the whole backup is in its file, as in one that `backUpSqlite` wrote. A file that was copied from a running
 * service, or kept aside after a crash, has the rest of its content beside it. @throws Error that names that file
 */
const requireWhole = async (backup: string): Promise<void> => {
  // SQLite keeps the files beside the target of a symbolic link.
  const path = await realpath(backup).catch((cause: unknown) => {
    throw new Error(`${backup} is not there, or may not be read.`, { cause });
  });
  const rest = CONTENT_BESIDE.map((ending) => path + ending).find(
    (beside) => (statSync(beside, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (rest === undefined) return;
  throw new Error(
    `The backup is not whole: a part of its content is in ${rest}. Run migrate with DATABASE_URL set to sqlite:${path}, which takes it in and brings its tables up to this version, and restore again.`,
  );
};

/** Whether the database has a user. A file that cannot be read counts as used. */
const isUsed = async (file: string): Promise<boolean> => (await sqliteIdentity(file))?.hasUsers ?? true;

/** Returns the name, or if a database or a file beside one has it, the first of `name-2`, `name-3` and so on that is free. */
const freeName = (name: string): string => {
  const isTaken = (one: string): boolean => ['', ...BESIDE].some((ending) => existsSync(one + ending));
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name}-${count}`;
  return free;
};

/**
 * Writes the log (-wal) beside a database, if there is one, into the database. Without this, a restore that is killed between
 * renaming the two would leave a part of the database under another name. A database that cannot be read keeps its log.
 */
const checkpointLog = async (file: string): Promise<void> => {
  // Opening an empty file for writing, or one that is no database, would remove the log.
  if (
    !existsSync(file) ||
    !existsSync(`${file}-wal`) ||
    statSync(file).size === 0 ||
    (await sqliteIdentity(file)) === null
  )
    return;
  const connection = await openSqliteFile(file);
  // A log that cannot be written into it, as on a full disk, is kept aside as it is.
  await exec(connection, 'pragma wal_checkpoint(truncate)').catch(() => undefined);
  await closeSqliteFile(connection);
};

/** Renames the database and what is beside it; returns its new name, null where there was nothing with content. */
const keepAside = async (file: string): Promise<string | null> => {
  await checkpointLog(file);
  const kept = freeName(`${file}.before-${new Date(Date.now()).toISOString().replaceAll(/[-:]|\..*/g, '')}`);
  const isAny = ['', ...CONTENT_BESIDE].some((ending) => existsSync(file + ending));
  // Also where the database itself is gone: SQLite would take a log that is left for that of the backup.
  for (const beside of BESIDE) if (existsSync(file + beside)) await rename(file + beside, kept + beside);
  if (!existsSync(file)) return isAny ? kept : null;
  // A link gives the database a second name, so that there is one under `file` at every moment, and refuses a name that was
  // taken since it was chosen. Where the file system has no links, the database is renamed.
  await link(file, kept).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    return rename(file, kept);
  });
  return kept;
};

const put = async (made: string, file: string, replace: boolean): Promise<Restored> => {
  if ((await isUsed(file)) && !replace)
    throw new Error(
      `${file} has people in it already. With --replace it is kept aside and the backup takes its place.`,
    );
  const kept = await keepAside(file);
  await rename(made, file);
  await syncFolder(file);
  return { kept };
};

/**
 * Puts a backup in the place of a SQLite file. It is checked first, on a copy of its own; what was there is kept aside.
 * @param replace whether a database that has users may be put aside
 * @throws Error that says what is wrong with the backup or the place, or DomainError `unavailable` while another process has the
 * file: nothing was changed then. An error of the file system, after which the former database may have only its kept name
 */
export const restoreSqlite = async (backup: string, file: string, replace: boolean): Promise<Restored> => {
  await makePrivateFolder(dirname(file));
  const lock = await lockFile(file, RESTORE_WAIT_MS);
  const made = `${file}.restoring`;
  try {
    await requireWhole(backup);
    // Otherwise files that a killed restore left would be taken for parts of this copy.
    await removeBeside(made);
    await copyFile(backup, made);
    await chmod(made, 0o600);
    await checkSqliteFile(made, 'backup');
    await syncFile(made);
    return await put(made, file, replace);
  } finally {
    await rm(made, { force: true });
    await removeBeside(made);
    await closeSqliteFile(lock);
  }
};

/** The identity of a SQLite file, by which it is known from another one or an empty one. */
interface SqliteIdentity {
  /** Whether there is a user in it. */
  readonly hasUsers: boolean;
  /** The ids it stores: one, or two while the key beside it is replaced; none before there were ids. */
  readonly ids: readonly string[];
}

const NEW: SqliteIdentity = { hasUsers: false, ids: [] };

/** Up to two ids in a table; none where it is not there. */
const idsIn = async (
  connection: SqliteConnection,
  table: 'users' | 'database_identity',
): Promise<readonly string[]> => {
  const there = await sqliteRows(connection, `select 1 as there from sqlite_master where name = '${table}'`);
  const rows =
    there.length === 0 ? [] : await sqliteRows<{ readonly id: string }>(connection, `select id from ${table} limit 2`);
  return rows.map(({ id }) => id);
};

/**
 * Reads what tells a SQLite file from another one; changes nothing in it, even if a process has it open.
 * @returns null when the file cannot be read
 */
export const sqliteIdentity = async (file: string): Promise<SqliteIdentity | null> => {
  // Opening an empty file would remove a log beside it.
  if (!existsSync(file) || statSync(file).size === 0) return NEW;
  let connection: SqliteConnection | undefined;
  try {
    connection = await openSqliteFile(file, 'readOnly');
    const users = await idsIn(connection, 'users');
    return { hasUsers: users.length > 0, ids: await idsIn(connection, 'database_identity') };
  } catch {
    return null;
  } finally {
    if (connection !== undefined) await closeSqliteFile(connection);
  }
};
