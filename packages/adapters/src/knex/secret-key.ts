import { existsSync, statSync } from 'node:fs';
import type { FormerSecret } from '@shipworthy/domain';
import { grantPlace, type Reseal, resealing, webhookPlace } from '../crypto/sealer.js';
import { newSalt, stretchedKey } from '../crypto/secret-key.js';
import { asJson } from './dialect.js';
import type { Access } from './sql.js';
import { closed, connected, type SqliteConnection, sqliteRows } from './sqlite/connection.js';

/** What tells a SQLite file from another one, and from an empty one. */
export interface SqliteIdentity {
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

/** Stores an id of the database, beside those it has. */
export const addIdentity = async (access: Access, id: string): Promise<void> => {
  await access.write('insert into database_identity (id) values (?) on conflict (id) do nothing', [id]);
};

/** Removes every id of the database but this one. */
export const keepIdentity = async (access: Access, id: string): Promise<void> => {
  await access.write('delete from database_identity where id <> ?', [id]);
};

const resealGrants = async (access: Access, reseal: Reseal): Promise<void> => {
  for (const table of ['host_connections', 'host_endings']) {
    const rows = await access.read<{ user_id: string; host: string; sealed: string }>(
      `select user_id, host, sealed from ${table}`,
    );
    for (const { user_id, host, sealed } of rows) {
      const again = reseal('host grants', grantPlace('grant', user_id, host), sealed);
      if (again === null) continue;
      const which = [user_id, host, sealed];
      await access.write(`update ${table} set sealed = ? where user_id = ? and host = ? and sealed = ?`, [
        again,
        ...which,
      ]);
    }
  }
};

const resealVerifiers = async (access: Access, reseal: Reseal): Promise<void> => {
  const rows = await access.read<{ id: string; user_id: string; host: string; sealed_verifier: string }>(
    'select id, user_id, host, sealed_verifier from host_approvals',
  );
  for (const { id, user_id, host, sealed_verifier } of rows) {
    const again = reseal('host grants', grantPlace('verifier', user_id, host), sealed_verifier);
    if (again !== null) await access.write('update host_approvals set sealed_verifier = ? where id = ?', [again, id]);
  }
};

interface SecretsRow {
  readonly id: string;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly earlier_secrets: string | null;
  readonly version: number;
}

const resealWebhooks = async (access: Access, reseal: Reseal): Promise<void> => {
  const rows = await access.read<SecretsRow>(
    'select id, secret, former_secret, earlier_secrets, version from webhooks',
  );
  for (const { id, secret, former_secret, earlier_secrets, version } of rows) {
    const again = (sealed: string): string => reseal('webhook secrets', webhookPlace(id), sealed) ?? sealed;
    const earlier = JSON.parse(earlier_secrets ?? '[]') as readonly FormerSecret[];
    const resealed = {
      secret: again(secret),
      former: former_secret === null ? null : again(former_secret),
      earlier: asJson(earlier.map((each) => ({ ...each, sealed: again(each.sealed) }))),
    };
    if (resealed.secret === secret && resealed.former === former_secret && resealed.earlier === asJson(earlier))
      continue;
    await access.write(
      'update webhooks set secret = ?, former_secret = ?, earlier_secrets = ? where id = ? and version = ?',
      [resealed.secret, resealed.former, resealed.earlier, id, version],
    );
  }
};

const storedSalt = async (access: Access): Promise<string | undefined> =>
  (await access.read<{ salt: string }>('select salt from key_salt'))[0]?.salt;

/**
 * Stretches a secret key that can be guessed, with the salt that is stored with the data: at first a new one. What is still
 * sealed under `formerKey` is sealed under the stretched one in the transaction that stores the salt: a process that is
 * killed leaves all of it or nothing, and processes that start at the same time come to the same key.
 * @returns the stretched key, 32 bytes
 */
export const stretchStoredKey = async (access: Access, text: string, formerKey: Uint8Array): Promise<Uint8Array> => {
  const salt = (await storedSalt(access)) ?? newSalt();
  // Before the transaction: it takes longer than others may have to wait for a connection.
  const key = await stretchedKey(text, salt);
  const isStored = await access.atomically(async (inside) => {
    // Another start may hold the salt's row as long as its work takes.
    if (inside.dialect.name === 'postgres') await inside.write('set local statement_timeout = 0');
    await inside.write('insert into key_salt (place, salt) values (1, ?) on conflict (place) do nothing', [salt]);
    if ((await storedSalt(inside)) !== salt) return false;
    const reseal = resealing(formerKey, key);
    await resealGrants(inside, reseal);
    await resealVerifiers(inside, reseal);
    await resealWebhooks(inside, reseal);
    return true;
  });
  return isStored ? key : stretchStoredKey(access, text, formerKey);
};
