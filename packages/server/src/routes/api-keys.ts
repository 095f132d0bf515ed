import { createApiKey, revokeApiKey } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireApiKey, wireNewApiKey } from '../wire/api-key.js';
import { momentOrNull } from '../wire/moment.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listApiKeys'>> = async (_, { ports, principal }) => {
  const keys = await ports.stores.apiKeys.ofUser(principal.userId);
  return { status: 200, body: { data: keys.map(wireApiKey) } };
};

const create: Route<OperationOf<'createApiKey'>> = async ({ body }, context) => {
  const { name, scopes, team_id, expires_at } = body;
  const wish = { name, scopes, teamId: team_id?.toLowerCase() ?? null, expiresAt: momentOrNull(expires_at) };
  const made = await createApiKey(context.ports)({ by: actorOf(context), ...wish });
  return { status: 201, body: { data: wireNewApiKey(made) } };
};

const revoke: Route<OperationOf<'revokeApiKey'>> = async ({ path }, context) => {
  await revokeApiKey(context.ports)({ by: actorOf(context), keyId: path.api_key_id });
  return { status: 204 };
};

/** A person's own API keys. */
export const apiKeyRoutes = {
  listApiKeys: list,
  createApiKey: create,
  revokeApiKey: revoke,
} as const satisfies Partial<Routes>;
