import { existsSync, statSync } from 'node:fs';
import { closed, connected, type SqliteConnection, sqliteRows } from './connection.js';

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
 * Reads what tells a SQLite file from another one; changes nothing of it, also where a process has it open.
 * @returns null when the file cannot be read
 */
export const sqliteIdentity = async (file: string): Promise<SqliteIdentity | null> => {
  // Opening an empty file would remove a log beside it.
  if (!existsSync(file) || statSync(file).size === 0) return NEW;
  let connection: SqliteConnection | undefined;
  try {
    connection = await connected(file, 'readOnly');
    const users = await idsIn(connection, 'users');
    return { hasUsers: users.length > 0, ids: await idsIn(connection, 'database_identity') };
  } catch {
    return null;
  } finally {
    if (connection !== undefined) await closed(connection);
  }
};
