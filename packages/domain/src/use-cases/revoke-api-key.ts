import type { Actor } from '../access/actor.js';
import { notFound } from '../errors.js';
import { type ChangePorts, change } from './change.js';

export interface RevokeApiKey {
  readonly by: Actor;
  readonly keyId: string;
}

/** Revokes one of one's own keys. @throws DomainError `not-found` */
export const revokeApiKey =
  (ports: ChangePorts) =>
  ({ by, keyId }: RevokeApiKey): Promise<void> =>
    change(ports, by, async ({ stores, now, note }) => {
      const { userId } = by.principal;
      const key = (await stores.apiKeys.ofUser(userId)).find((one) => one.id === keyId);
      if (key === undefined || !(await stores.apiKeys.revoke(userId, keyId, now))) throw notFound('API key');
      const { teamId, name } = key;
      await note({ teamId, action: 'api_key.revoke', resource: { type: 'api_key', id: keyId }, detail: { name } });
    });
