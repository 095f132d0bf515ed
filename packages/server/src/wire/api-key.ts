import type { NewApiKey, ApiKey as WireApiKey } from '@shipworthy/client/contract';
import type { ApiKey, CreatedApiKey } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';

/** A key without the key itself. */
export const wireApiKey = (key: ApiKey): WireApiKey => ({
  id: key.id,
  name: key.name,
  scopes: [...key.scopes],
  team_id: key.teamId,
  prefix: key.prefix,
  created_at: wireMoment(key.createdAt),
  expires_at: wireMoment(key.expiresAt),
  last_used_at: wireMomentOrNull(key.lastUsedAt),
});

/** A key as it is answered once, when it is made. */
export const wireNewApiKey = ({ apiKey, key }: CreatedApiKey): NewApiKey => ({ ...wireApiKey(apiKey), key });
