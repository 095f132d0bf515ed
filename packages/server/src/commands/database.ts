import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  backUpSqlite,
  checkSqliteFile,
  copyDatabase,
  type Database,
  distributeTables,
  knexReplica,
  knexStores,
  makePrivateFolder,
  migrateLater,
  openDatabase,
  partitionTables,
  type ReachabilityListener,
  type ReadReplica,
  restoreSqlite,
  syncFile,
  syncFolder,
  type TableSum,
  migrate as takeSteps,
} from '@shipworthy/adapters/knex';
import { parsedUrl } from '@shipworthy/client/contract';
import { DomainError, type StoresWithFeed } from '@shipworthy/domain';
import type { Config, DatabaseConfig, SecretKeySource } from '../config.js';
import { faultWords, type Log } from '../observability/log.js';
import type { SettingName } from '../settings.js';
import { type Outside, readServerSettings, SERVER_EXIT } from './outside.js';
import { backupKeyPath, keyPathOf, requireDatabaseOfKey, restoreKey } from './secret-key.js';

/** Opens the configured database; the folder of a SQLite file is made when it is missing. */
const openConfigured = async (config: DatabaseConfig, listener?: ReachabilityListener): Promise<Database> => {
  if (config.kind === 'postgres') {
    const { url, directUrl, readUrl } = config;
    return openDatabase({
      url,
      ...(directUrl === null ? {} : { directUrl }),
      ...(readUrl === null ? {} : { readUrl }),
      ...(listener === undefined ? {} : { listener }),
    });
  }
  await makePrivateFolder(dirname(config.file));
  return openDatabase({ url: `sqlite:${config.file}` });
};

/** A database with its stores. */
export interface OpenedStores {
  readonly database: Database;
  readonly stores: StoresWithFeed;
  /** null: none is configured. */
  readonly replica: ReadReplica | null;
}

/** Whether an error says that the database cannot be reached. */
export const isAway = (error: unknown): boolean => error instanceof DomainError && error.code === 'unavailable';

/** Logs when the database is lost, with the cause, when it is reached, and which of its addresses are not used. */
export const databaseLog = (log: Log, hasReplica: boolean): ReachabilityListener => ({
  lost: (cause) => log.error('database cannot be reached', { cause }),
  reached: ({ place, isPooled, isCluster }) => {
    log.info('database reached', { server: place, pooler: isPooled });
    if (isCluster && hasReplica)
      log.warn('DATABASE_READ_URL is not used: the database is distributed, and all reads go to its coordinator');
  },
  passedOver: (server, cause) => log.warn('database server is not used', { server, cause }),
});

/**
 * Opens the configured database and brings its schema up to date; several instances may start at once. A PostgreSQL
 * that cannot be reached yet does not stop the start: its schema is brought up to date once it answers. Until then
 * `/readyz` fails and requests are refused as `unavailable`.
 * @param complain called with the reason when PostgreSQL answers but its schema cannot be brought up to date
 */
export const openStores = async (
  config: DatabaseConfig,
  complain: (words: string) => void,
  log: Log,
): Promise<OpenedStores> => {
  const database = await openConfigured(
    config,
    databaseLog(log, config.kind === 'postgres' && config.readUrl !== null),
  );
  const opened = (of: Database): OpenedStores => ({
    database: of,
    stores: knexStores(of),
    replica: knexReplica(of),
  });
  try {
    await takeSteps(database);
    return opened(database);
  } catch (error) {
    if (database.kind === 'postgres' && isAway(error))
      return opened(
        migrateLater(database, (why) => complain(`The schema could not be brought up to date: ${String(why)}`)),
      );
    await database.close();
    throw error;
  }
};

/** Brings the schema of the configured database up to date; safe while other processes run or start. Answers the exit code. */
export const migrateDatabase = async (outside: Outside): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  try {
    await requireDatabaseOfKey(config);
    const database = await openConfigured(config.database);
    try {
      await takeSteps(database);
    } finally {
      await database.close();
    }
    outside.print('The schema is up to date.');
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

/**
 * Time limit of one statement of a copy, in milliseconds: rows are read in parts, an index is made by one statement.
 */
const STATEMENT_MS = 600_000;

const copy = async (file: string, url: string): Promise<readonly TableSum[]> => {
  const from = await openDatabase({ url: `sqlite:${file}` });
  try {
    // An empty or cut file would be copied as a database without records.
    await checkSqliteFile(file, 'file');
    await takeSteps(from);
    const to = await openDatabase({ url, statementMs: STATEMENT_MS });
    try {
      await takeSteps(to);
      return await copyDatabase(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
};

const report = (sums: readonly TableSum[], { secretKey }: Config, { print }: Outside): void => {
  const width = Math.max(...sums.map(({ table }) => table.length));
  for (const { table, rows, checksum } of sums)
    print(`${table.padEnd(width)} ${String(rows).padStart(10)} ${checksum}`);
  const rows = sums.reduce((sum, each) => sum + each.rows, 0);
  print(`Copied ${rows} rows of ${sums.length} tables; each table reads back as it was sent.`);
  const path = keyPathOf(secretKey);
  const key = path === null ? 'the same SHIPWORTHY_SECRET_KEY' : `SHIPWORTHY_SECRET_KEY_FILE=${path}`;
  print(`Start the server with DATABASE_URL set to the copy and ${key}: what is sealed is sealed under that key.`);
};

const SETTING = 'SHIPWORTHY_COPY_TO_URL' satisfies SettingName;

/**
 * Returns the address to copy to: the argument, else the setting. Warns about a password in the argument, since other
 * users can read it in the list of processes.
 */
const targetOf = ({ environment, complain }: Outside, argument: string): string => {
  if (argument === '') return environment[SETTING]?.trim() ?? '';
  const url = parsedUrl(argument);
  if ((url?.password ?? '') !== '' || url?.searchParams.has('password') === true)
    complain(
      `Warning: the password in the argument can be read by everybody on this machine while the command runs. Set ${SETTING} instead and run copy-to without an argument.`,
    );
  return argument;
};

/**
 * Copies the SQLite database into an empty PostgreSQL database, whose address is the argument or, where that is empty, a
 * setting; the server must not run. Answers the exit code.
 */
export const copyTo = async (outside: Outside, argument: string): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  const url = targetOf(outside, argument);
  const { database } = config;
  if (database.kind !== 'sqlite' || !/^postgres(ql)?:\/\/./.test(url)) {
    outside.complain(`copy-to copies from SQLite (the settings) to PostgreSQL (${SETTING}: postgres://...).`);
    return SERVER_EXIT.usage;
  }
  try {
    if (!existsSync(database.file)) throw new Error(`There is no database at ${database.file}.`);
    await requireDatabaseOfKey(config);
    report(await copy(database.file, url), config, outside);
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

/** Partitions the tables of records by months, on PostgreSQL; safe while the server runs. Answers the exit code. */
export const partition = async (outside: Outside): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  if (config.database.kind !== 'postgres') {
    outside.complain('Only PostgreSQL partitions its tables: DATABASE_URL must begin with postgres://.');
    return SERVER_EXIT.usage;
  }
  try {
    const database = await openConfigured(config.database);
    try {
      await takeSteps(database);
      const done = await partitionTables(database);
      outside.print(
        done
          ? 'deployments and test_runs are partitioned by months; servers make the coming ones by themselves.'
          : 'deployments and test_runs are partitioned by months already.',
      );
    } finally {
      await database.close();
    }
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

/**
 * Distributes the tables that grow with every report over a cluster of Citus; no server may run. Answers the exit code.
 */
export const distribute = async (outside: Outside): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  if (config.database.kind !== 'postgres') {
    outside.complain('Only PostgreSQL with Citus distributes its tables: DATABASE_URL must begin with postgres://.');
    return SERVER_EXIT.usage;
  }
  const { directUrl, url } = config.database;
  try {
    // Each step opens the database with a single connection: no other one may be open when tables are distributed.
    for (const step of [takeSteps, distributeTables]) {
      const database = await openDatabase({ url: directUrl ?? url, connections: 1 });
      const lines = await step(database).finally(() => database.close());
      for (const line of lines ?? []) outside.print(line);
    }
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

const WITH_POSTGRES = (to: string): string =>
  `PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=${to} "$DATABASE_URL"`;

/** Why the backup cannot be written; undefined: it can. */
const obstacle = (file: string, to: string, keyPath: string | null, withKey: boolean): string | undefined => {
  if (!existsSync(file)) return `There is no database at ${file}.`;
  if (existsSync(to)) return `${to} is there already; a backup overwrites nothing.`;
  if (!withKey) return undefined;
  if (keyPath === null) return 'The secret key is given in SHIPWORTHY_SECRET_KEY: keep it where you keep secrets.';
  return existsSync(backupKeyPath(to))
    ? `${backupKeyPath(to)} is there already; a backup overwrites nothing.`
    : undefined;
};

const keyToKeep = (source: SecretKeySource): string => {
  const path = keyPathOf(source);
  const where = path === null ? 'SHIPWORTHY_SECRET_KEY' : `${path} (--with-key puts it beside the copy)`;
  return `The secret key is not in it. Keep ${where} too: without it what is sealed cannot be read.`;
};

/** Writes a consistent copy of the SQLite database, also while the server runs. Answers the exit code. */
export const backUp = async (outside: Outside, file: string, withKey: boolean): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  const to = resolve(outside.workingDirectory, file);
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(WITH_POSTGRES(file));
    return SERVER_EXIT.usage;
  }
  const keyPath = keyPathOf(secretKey);
  const fault = obstacle(database.file, to, keyPath, withKey);
  if (fault !== undefined) {
    outside.complain(`Error: ${fault}`);
    return SERVER_EXIT.failed;
  }
  try {
    await requireDatabaseOfKey(config);
    await backUpSqlite(database.file, to);
    outside.print(`Backed up to ${to}`);
    if (withKey && keyPath !== null) {
      await copyFile(keyPath, backupKeyPath(to), constants.COPYFILE_EXCL);
      await chmod(backupKeyPath(to), 0o600);
      await syncFile(backupKeyPath(to));
      await syncFolder(backupKeyPath(to));
      outside.print(`The secret key is in ${backupKeyPath(to)}: with both, what is sealed can be read.`);
    } else outside.print(keyToKeep(secretKey));
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};

const printKeyNote = async (backup: string, secretKey: Config['secretKey'], { print }: Outside): Promise<void> => {
  if (secretKey.kind !== 'kept') {
    print('The secret key stays the one that is set; it must be the one the backup was made under.');
    return;
  }
  const outcome = await restoreKey(backup, secretKey.path);
  if (outcome === 'none')
    print(
      `There is no ${backupKeyPath(backup)}: put the key it was made under at ${secretKey.path} before the next start.`,
    );
  if (outcome === 'put') print(`The secret key is restored to ${secretKey.path}`);
  if (outcome === 'replaced')
    print(`The secret key is restored to ${secretKey.path}; the former one is kept beside it.`);
};

/** Puts a backup in the place of the SQLite database; the server must not run. Answers the exit code. */
export const restore = async (outside: Outside, file: string, replace: boolean): Promise<number> => {
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  const { database, secretKey } = config;
  if (database.kind === 'postgres') {
    outside.complain(
      `PostgreSQL is restored by its own tools: pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" ${file}`,
    );
    return SERVER_EXIT.usage;
  }
  const backup = resolve(outside.workingDirectory, file);
  try {
    const { kept } = await restoreSqlite(backup, database.file, replace);
    outside.print(`Restored ${database.file} from ${backup}`);
    if (kept !== null) outside.print(`What was there is kept as ${kept}`);
    await printKeyNote(backup, secretKey, outside);
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${faultWords(error)}`);
    return SERVER_EXIT.failed;
  }
};
