import type { NewApiKey, TeamApiKey, ApiKey as WireApiKey } from '@shipworthy/client/contract';
import { type ApiKey, type CreatedApiKey, mixesScripts, type ReachingKey } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';

/** A key without the key itself. */
export const wireApiKey = (key: ApiKey): WireApiKey => ({
  id: key.id,
  name: key.name,
  scopes: [...key.scopes],
  team_id: key.teamId,
  project_id: key.projectId,
  home_team_ids: key.teamId === null ? [...key.homeTeams] : [key.teamId],
  barred_team_ids: [...key.barredTeams],
  prefix: key.prefix,
  created_at: wireMoment(key.createdAt),
  expires_at: wireMoment(key.expiresAt),
  last_used_at: wireMomentOrNull(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
});

/** A key as it is answered once, when it is made. */
export const wireNewApiKey = ({ apiKey, key }: CreatedApiKey): NewApiKey => ({ ...wireApiKey(apiKey), key });

/** A key as owners of a team it reaches see it: nothing of the other teams it reaches. */
export const wireTeamApiKey = ({ key, maker }: ReachingKey): TeamApiKey => ({
  id: key.id,
  name: key.name,
  maker: {
    user_id: maker.id,
    name: maker.name,
    email: maker.email,
    mixed_scripts: mixesScripts(maker.name, maker.email),
  },
  scopes: [...key.scopes],
  all_teams: key.teamId === null,
  project_id: key.projectId,
  prefix: key.prefix,
  created_at: wireMoment(key.createdAt),
  expires_at: wireMoment(key.expiresAt),
  last_used_at: wireMomentOrNull(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
});
