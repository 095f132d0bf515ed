import type { NewApiKey, TeamApiKey, ApiKey as WireApiKey } from '@shipworthy/client/contract';
import { type ApiKey, holdsWords, mixesScripts, type ReachingKey, type Stores } from '@shipworthy/domain';
import { barApiKey, type CreatedApiKey, createApiKey, revokeApiKey } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { sentMomentOrNull, sentWords, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportList, exportWhole, type TableColumns } from './csv.js';
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

/** A key as owners of a team it reaches see it, without the other teams it reaches. */
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

/** The keys of the person that hold all words of `q`; all keys without `q`. */
const ownFound = async (
  { apiKeys }: Pick<Stores, 'apiKeys'>,
  userId: string,
  q: string | undefined,
): Promise<readonly WireApiKey[]> => {
  const isFound = holdsWords(sentWords(q));
  const keys = await apiKeys.ofUser(userId);
  return keys.filter(({ name, prefix }) => isFound(`${name} ${prefix}`)).map(wireApiKey);
};

const list: RouteHandler<OperationOf<'listApiKeys'>> = async ({ query: { q } }, { ports, principal }) => ({
  status: 200,
  body: { data: [...(await ownFound(ports.stores, principal.userId, q))] },
});

/** What all keys have in common, as columns of a table. */
const KEY_COLUMNS: TableColumns<Pick<WireApiKey, keyof WireApiKey & keyof TeamApiKey>> = {
  scopes: ({ scopes }) => scopes.join(' '),
  project_id: ({ project_id }) => project_id,
  prefix: ({ prefix }) => prefix,
  created_at: ({ created_at }) => created_at,
  expires_at: ({ expires_at }) => expires_at,
  last_used_at: ({ last_used_at }) => last_used_at,
  last_used_address: ({ last_used_address }) => last_used_address,
  id: ({ id }) => id,
};

const OWN_COLUMNS: TableColumns<WireApiKey> = {
  name: ({ name }) => name,
  team_id: ({ team_id }) => team_id,
  ...KEY_COLUMNS,
  barred_team_ids: ({ barred_team_ids }) => barred_team_ids.join(' '),
};

const exportOwn: RouteHandler<OperationOf<'exportApiKeys'>> = async ({ query: { q } }, { ports, principal }) => {
  const about = { name: 'api-keys', columns: OWN_COLUMNS, slices: ports.slices };
  return exportWhole(await ownFound(ports.stores, principal.userId, q), about);
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

const listOfTeam: RouteHandler<OperationOf<'listTeamApiKeys'>> = async ({ query: { q } }, context) => {
  const { ports, place, now, page, sealCursor } = context;
  const { rows, next } = await ports.stores.apiKeys.reaching(place.teamId, now, page, sentWords(q));
  return pageReply(rows.map(wireTeamApiKey), sealCursor(next));
};

const TEAM_COLUMNS: TableColumns<TeamApiKey> = {
  name: ({ name }) => name,
  maker: ({ maker }) => maker.name,
  maker_email: ({ maker }) => maker.email,
  all_teams: ({ all_teams }) => (all_teams ? 'yes' : 'no'),
  ...KEY_COLUMNS,
};

const exportOfTeam: RouteHandler<OperationOf<'exportTeamApiKeys'>> = async ({ query: { q } }, context) => {
  const { ports, place, now } = context;
  return exportList({
    name: 'api-keys',
    columns: TEAM_COLUMNS,
    slices: ports.slices,
    readPage: async (page) => {
      const { rows, next } = await ports.stores.apiKeys.reaching(place.teamId, now, page, sentWords(q));
      return { rows: rows.map(wireTeamApiKey), next };
    },
  });
};

const bar: RouteHandler<OperationOf<'barApiKey'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await barApiKey(context.ports, { by: actorOf(context), teamId, keyId: path.api_key_id });
  return { status: 204 };
};

/** A person's own API keys, and those that reach a team. */
export const apiKeyRoutes = {
  listApiKeys: list,
  exportApiKeys: exportOwn,
  createApiKey: create,
  revokeApiKey: revoke,
  listTeamApiKeys: listOfTeam,
  exportTeamApiKeys: exportOfTeam,
  barApiKey: bar,
} as const satisfies Partial<Routes>;
