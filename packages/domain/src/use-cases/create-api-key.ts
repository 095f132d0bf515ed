import type { Actor } from '../access/actor.js';
import type { ApiKey } from '../access/api-key.js';
import { KEY_LIFE, keyExpiryFaults, mayHoldScopes } from '../access/api-key-rules.js';
import type { Scope } from '../access/principal.js';
import { DomainError, invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import { change } from './change.js';

export interface CreateApiKey {
  readonly by: Actor;
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly Scope[];
  /** Narrows the key to a team its maker is in; null: all of them. */
  readonly teamId: string | null;
  /** After now and within 365 days; null: in 90 days. */
  readonly expiresAt: Instant | null;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** The key itself, shown once. */
  readonly key: string;
}

const SHOWN = 12;

/** Makes an API key. @throws DomainError `invalid`; `forbidden` for a scope beyond the maker's role */
export const createApiKey =
  (ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>) =>
  ({ by, name, scopes, teamId, expiresAt }: CreateApiKey): Promise<CreatedApiKey> =>
    change(ports, by, async ({ stores, now, newId, note }) => {
      const { userId, roles } = by.principal;
      const faults = [...(expiresAt === null ? [] : keyExpiryFaults(expiresAt, now))];
      if (scopes.length === 0)
        faults.push({ pointer: '/scopes', code: 'empty', message: 'A key has a scope at least.' });
      if (teamId !== null && !roles.has(teamId))
        faults.push({ pointer: '/team_id', code: 'unknown-team', message: 'team_id names no team in sight.' });
      if (faults.length > 0) throw invalid(faults);
      if (!mayHoldScopes(scopes, teamId, roles))
        throw new DomainError('forbidden', 'Keys that write need the role member.', { needed: 'member' });
      const key = ports.secrets.newApiKey();
      const told = { hash: ports.secrets.hash(key), prefix: key.slice(0, SHOWN) };
      const times = { createdAt: now, expiresAt: expiresAt ?? now + KEY_LIFE, lastUsedAt: null, revokedAt: null };
      const apiKey: ApiKey = { id: newId(), userId, name, scopes, teamId, ...told, ...times };
      await stores.apiKeys.create(apiKey);
      await note({
        teamId,
        action: 'api_key.create',
        resource: { type: 'api_key', id: apiKey.id },
        detail: { name, scopes },
      });
      return { apiKey, key };
    });
