import { barApiKey, createApiKey, revokeApiKey } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireApiKey, wireNewApiKey, wireTeamApiKey } from '../wire/api-key.js';
import { momentOrNull } from '../wire/moment.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listApiKeys'>> = async (_, { ports, principal }) => {
  const keys = await ports.stores.apiKeys.ofUser(principal.userId);
  return { status: 200, body: { data: keys.map(wireApiKey) } };
};

const create: Route<OperationOf<'createApiKey'>> = async ({ body }, context) => {
  const { name, scopes, team_id, project_id, all_teams = false, expires_at } = body;
  const [teamId, projectId] = [team_id?.toLowerCase() ?? null, project_id?.toLowerCase() ?? null];
  const wish = { name, scopes, teamId, projectId, allTeams: all_teams, expiresAt: momentOrNull(expires_at) };
  const made = await createApiKey(context.ports)({ by: actorOf(context), ...wish });
  return { status: 201, body: { data: wireNewApiKey(made) } };
};

const revoke: Route<OperationOf<'revokeApiKey'>> = async ({ path }, context) => {
  await revokeApiKey(context.ports)({ by: actorOf(context), keyId: path.api_key_id });
  return { status: 204 };
};

const listOfTeam: Route<OperationOf<'listTeamApiKeys'>> = async (_, { ports, place, now }) => {
  const keys = await ports.stores.apiKeys.reaching(place.teamId, now);
  return { status: 200, body: { data: keys.map(wireTeamApiKey) } };
};

const bar: Route<OperationOf<'barApiKey'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await barApiKey(context.ports)({ by: actorOf(context), teamId, keyId: path.api_key_id });
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
