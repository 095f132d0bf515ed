import { existsSync } from 'node:fs';
import { copyDatabase, migrate, openDatabase, type TableSum } from '@shipworthy/adapters/knex';
import { parsedUrl } from '@shipworthy/client/contract';
import type { Config } from '../config.js';
import type { SettingName } from '../settings/setting.js';
import { keyPathOf } from './key-file.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';
import { requireDatabaseOfKey } from './secret-key.js';

/** Longest time one statement may take: a large table is read in parts, but its index is made by one. */
const STATEMENT_MS = 600_000;

const copy = async (file: string, url: string): Promise<readonly TableSum[]> => {
  const from = await openDatabase({ url: `sqlite:${file}` });
  try {
    await migrate(from);
    const to = await openDatabase({ url, statementMs: STATEMENT_MS });
    try {
      await migrate(to);
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

/** The address that is copied to: the argument, else the setting. An argument stands in the list of processes. */
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
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  const url = targetOf(outside, argument);
  const { database } = config;
  if (database.kind !== 'sqlite' || !/^postgres(ql)?:\/\/./.test(url)) {
    outside.complain(`copy-to copies from SQLite (the settings) to PostgreSQL (${SETTING}: postgres://...).`);
    return EXIT.usage;
  }
  try {
    if (!existsSync(database.file)) throw new Error(`There is no database at ${database.file}.`);
    await requireDatabaseOfKey(config);
    report(await copy(database.file, url), config, outside);
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
};
