import type { NewApiKey, TeamApiKey, ApiKey as WireApiKey } from '@shipworthy/client/contract';
import { type ApiKey, mixesScripts, type ReachingKey } from '@shipworthy/domain';
import { barApiKey, type CreatedApiKey, createApiKey, revokeApiKey } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { sentMomentOrNull, wireMoment, wireMomentOrNull } from '../wire.js';
import { actorOf, pageReply } from './replies.js';

/** A key without the key itself. */
const wireApiKey = (key: ApiKey): WireApiKey => ({
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
const wireNewApiKey = ({ apiKey, key }: CreatedApiKey): NewApiKey => ({ ...wireApiKey(apiKey), key });

const wireMaker = ({ id, name, email }: ReachingKey['maker']): TeamApiKey['maker'] => ({
  user_id: id,
  name,
  email,
  mixed_scripts: mixesScripts(name, email),
});

/** A key as owners of a team it reaches see it: nothing of the other teams it reaches. */
const wireTeamApiKey = ({ key, maker }: ReachingKey): TeamApiKey => ({
  id: key.id,
  name: key.name,
  maker: wireMaker(maker),
  scopes: [...key.scopes],
  all_teams: key.teamId === null,
  project_id: key.projectId,
  prefix: key.prefix,
  created_at: wireMoment(key.createdAt),
  expires_at: wireMoment(key.expiresAt),
  last_used_at: wireMomentOrNull(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
});

const list: RouteHandler<OperationOf<'listApiKeys'>> = async (_, { ports, principal }) => {
  const keys = await ports.stores.apiKeys.ofUser(principal.userId);
  return { status: 200, body: { data: keys.map(wireApiKey) } };
};

const create: RouteHandler<OperationOf<'createApiKey'>> = async ({ body }, context) => {
  const { name, scopes, team_id, project_id, all_teams = false, expires_at } = body;
  const [teamId, projectId] = [team_id?.toLowerCase() ?? null, project_id?.toLowerCase() ?? null];
  const wish = { name, scopes, teamId, projectId, allTeams: all_teams, expiresAt: sentMomentOrNull(expires_at) };
  const made = await createApiKey(context.ports, { by: actorOf(context), ...wish });
  return { status: 201, body: { data: wireNewApiKey(made) } };
};

const revoke: RouteHandler<OperationOf<'revokeApiKey'>> = async ({ path }, context) => {
  await revokeApiKey(context.ports, { by: actorOf(context), keyId: path.api_key_id });
  return { status: 204 };
};

const listOfTeam: RouteHandler<OperationOf<'listTeamApiKeys'>> = async (_, context) => {
  const { ports, place, now, page, sealCursor } = context;
  const { rows, next } = await ports.stores.apiKeys.reaching(place.teamId, now, page);
  return pageReply(rows.map(wireTeamApiKey), sealCursor(next));
};

const bar: RouteHandler<OperationOf<'barApiKey'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await barApiKey(context.ports, { by: actorOf(context), teamId, keyId: path.api_key_id });
  return { status: 204 };
};

/** A person's own API keys, and those that reach a team. */
export const apiKeyRoutes = {
  listApiKeys: list,
  createApiKey: create,
  revokeApiKey: revoke,
  listTeamApiKeys: listOfTeam,
  barApiKey: bar,
} as const satisfies Partial<Routes>;
