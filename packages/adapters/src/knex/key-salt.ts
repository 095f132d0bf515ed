import type { FormerSecret } from '@shipworthy/domain';
import { grantPlace, type Reseal, resealing, webhookPlace } from '../crypto/sealed-place.js';
import { newSalt, stretchedKey } from '../crypto/stretched-key.js';
import { asJson } from './dialect.js';
import type { Access } from './sql.js';

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
