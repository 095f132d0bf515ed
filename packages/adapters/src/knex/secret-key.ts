import type { FormerSecret } from '@shipworthy/domain';
import { grantContext, newSalt, type Reseal, resealing, stretchedKey, webhookContext } from '../crypto/secret-key.js';
import { asJson } from './dialect.js';
import { waitForHolders } from './postgres/transaction.js';
import { query } from './query.js';
import type { Access } from './sql.js';

declare module 'knex/types/tables.js' {
  interface Tables {
    database_identity: { readonly id: string };
    key_salt: { readonly place: 1; readonly salt: string };
  }
}

/** Stores an id of the database, beside those it has. */
export const addIdentity = async (access: Access, id: string): Promise<void> => {
  await query(access).from('database_identity').insert({ id }).onConflict('id').ignore();
};

/** Removes every id of the database but this one. */
export const keepIdentity = async (access: Access, id: string): Promise<void> => {
  await query(access).from('database_identity').whereNot('id', id).delete();
};

const resealGrants = async (access: Access, reseal: Reseal): Promise<void> => {
  for (const table of ['host_connections', 'host_endings'] as const) {
    const grants = () => query(access).from<{ user_id: string; host: string; sealed: string }>(table);
    for (const { user_id, host, sealed } of await grants().select('user_id', 'host', 'sealed')) {
      const again = reseal('host grants', grantContext('grant', user_id, host), sealed);
      if (again !== null) await grants().where({ user_id, host, sealed }).update({ sealed: again });
    }
  }
};

const resealVerifiers = async (access: Access, reseal: Reseal): Promise<void> => {
  const approvals = () => query(access).from('host_approvals');
  for (const { id, user_id, host, sealed_verifier } of await approvals()) {
    const again = reseal('host grants', grantContext('verifier', user_id, host), sealed_verifier);
    if (again !== null) await approvals().where({ id }).update({ sealed_verifier: again });
  }
};

const resealWebhooks = async (access: Access, reseal: Reseal): Promise<void> => {
  const webhooks = () => query(access).from('webhooks');
  const rows = await webhooks().select('id', 'secret', 'former_secret', 'earlier_secrets', 'version');
  for (const { id, secret, former_secret, earlier_secrets, version } of rows) {
    const again = (sealed: string): string => reseal('webhook secrets', webhookContext(id), sealed) ?? sealed;
    const earlier = JSON.parse(earlier_secrets ?? '[]') as readonly FormerSecret[];
    const resealed = {
      secret: again(secret),
      former: former_secret === null ? null : again(former_secret),
      earlier: asJson(earlier.map((each) => ({ ...each, sealed: again(each.sealed) }))),
    };
    if (resealed.secret === secret && resealed.former === former_secret && resealed.earlier === asJson(earlier))
      continue;
    await webhooks()
      .where({ id, version })
      .update({ secret: resealed.secret, former_secret: resealed.former, earlier_secrets: resealed.earlier });
  }
};

const storedSalt = async (access: Access): Promise<string | undefined> =>
  (await query(access).from('key_salt').first('salt'))?.salt;

/**
 * Stretches a secret key that can be guessed, with the stored salt, or with a new one if there is none. The transaction
 * that stores the salt also seals again what is sealed under `formerKey`: a process that is killed leaves all of it or
 * nothing, and processes that start at the same time get the same key.
 * @returns the stretched key, 32 bytes
 */
export const stretchStoredKey = async (access: Access, text: string, formerKey: Uint8Array): Promise<Uint8Array> => {
  const salt = (await storedSalt(access)) ?? newSalt();
  // Computed before the transaction: it takes too long to hold a connection that others wait for.
  const key = await stretchedKey(text, salt);
  const isStored = await access.atomically(async (inside) => {
    // Another starting process may hold the salt's row until it has sealed everything again.
    await waitForHolders(inside);
    await query(inside).from('key_salt').insert({ place: 1, salt }).onConflict('place').ignore();
    if ((await storedSalt(inside)) !== salt) return false;
    const reseal = resealing(formerKey, key);
    await resealGrants(inside, reseal);
    await resealVerifiers(inside, reseal);
    await resealWebhooks(inside, reseal);
    return true;
  });
  return isStored ? key : stretchStoredKey(access, text, formerKey);
};
