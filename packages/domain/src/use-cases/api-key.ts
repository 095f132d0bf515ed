import {
  type Actor,
  type ApiKey,
  KEY_LIFE,
  keyExpiryFaults,
  mayHoldScopes,
  type Scope,
  seesProject,
  teamsInSight,
} from '../access/principal.js';
import { DomainError, type Fault, invalid, notFound } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { Role } from '../team.js';
import type { Instant } from '../time.js';
import { type Change, type ChangePorts, change, type InTeam, runTeamChange, storedRole } from './change.js';

/** Where a new key is to belong; exactly one of the three is set, or none for the only team its maker is in. */
interface RequestedHome {
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly allTeams: boolean;
}

export interface CreateApiKey extends RequestedHome {
  readonly by: Actor;
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly Scope[];
  /** When it expires: after now and within 365 days; null: in 90 days. */
  readonly expiresAt: Instant | null;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** The key itself, shown once. */
  readonly key: string;
}

const PREFIX_LENGTH = 12;

/** Most unrevoked keys of a person; bounded because they are listed in one answer. */
const MOST_API_KEYS = 500;

type Home = Pick<ApiKey, 'teamId' | 'projectId' | 'homeTeams'>;

const fault = (pointer: string, code: string, message: string): { readonly fault: Fault } => ({
  fault: { pointer, code, message },
});

const OUT_OF_SIGHT: Fault = { pointer: '/team_id', code: 'unknown-team', message: 'team_id names no team in sight.' };

/** The home that was requested, or what is wrong with the request. */
const homeOf = async (
  stores: Pick<Stores, 'projects' | 'teams'>,
  { principal }: Actor,
  { teamId, projectId, allTeams }: RequestedHome,
): Promise<Home | { readonly fault: Fault }> => {
  const homes = [teamId !== null, projectId !== null, allTeams].filter(Boolean).length;
  const teams = teamsInSight(principal);
  if (homes > 1)
    return fault('/team_id', 'home', 'A key has one home: say only one of team_id, project_id and all_teams.');
  if (allTeams) {
    // The demo is no home: once it is removed, the key would wait for a team that never comes back.
    const demo = await stores.teams.demo();
    return { teamId: null, projectId: null, homeTeams: teams.filter((id) => id !== demo?.id) };
  }
  if (projectId !== null) {
    const project = await stores.projects.byId(projectId);
    return project === undefined || !seesProject(principal, project)
      ? fault('/project_id', 'unknown-project', 'project_id names no project in sight.')
      : { teamId: project.teamId, projectId, homeTeams: [] };
  }
  const [only, ...others] = teams;
  if (teamId === null && (only === undefined || others.length > 0))
    return fault(
      '/team_id',
      'required',
      `Say where the key belongs by team_id, project_id or all_teams; teams you are in: ${teams.length}.`,
    );
  const chosen = teamId ?? only ?? '';
  return principal.roles.has(chosen) ? { teamId: chosen, projectId: null, homeTeams: [] } : { fault: OUT_OF_SIGHT };
};

/** Demands that the person has fewer than 500 keys. @throws DomainError `invalid` */
const requireRoom = async ({ apiKeys }: Pick<Stores, 'apiKeys'>, userId: string): Promise<void> => {
  if ((await apiKeys.ofUser(userId)).length < MOST_API_KEYS) return;
  const message = `A person has ${MOST_API_KEYS} API keys at most: revoke some first.`;
  throw invalid([{ pointer: '/name', code: 'too-many', message }]);
};

/**
 * Returns the maker's roles. For a key of one team it is the stored role there: what was known of the principal may be a second old.
 * @throws DomainError `invalid` when the maker has left that team
 */
const rolesNow = async (stores: Stores, by: Actor, teamId: string | null): Promise<ReadonlyMap<string, Role>> => {
  if (teamId === null) return by.principal.roles;
  const role = await storedRole(stores, by, teamId);
  if (role === undefined) throw invalid([OUT_OF_SIGHT]);
  return new Map([[teamId, role]]);
};

/** Makes an API key; a person has 500 at most. @throws DomainError `invalid`; `forbidden` for a scope beyond the maker's role */
export async function createApiKey(
  ports: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>,
  { by, name, scopes, expiresAt, ...requestedHome }: CreateApiKey,
): Promise<CreatedApiKey> {
  const { userId } = by.principal;
  const home = await homeOf(ports.stores, by, requestedHome);
  const hold = async ({ users, teams }: Stores): Promise<void> => {
    // Locked, so that each of many simultaneous requests counts the keys that those before it made.
    await users.lock(userId);
    if (!('fault' in home) && home.teamId !== null) await teams.lock(home.teamId);
  };
  const create = async ({ stores, now, newId, note }: Change): Promise<CreatedApiKey> => {
    const faults = [...(expiresAt === null ? [] : keyExpiryFaults(expiresAt, now))];
    if (scopes.length === 0) faults.push({ pointer: '/scopes', code: 'empty', message: 'A key has a scope at least.' });
    if ('fault' in home) throw invalid([...faults, home.fault]);
    if (faults.length > 0) throw invalid(faults);
    if (!mayHoldScopes(scopes, home.teamId, await rolesNow(stores, by, home.teamId)))
      throw new DomainError('forbidden', 'Keys that write need the role member.', { needed: 'member' });
    await requireRoom(stores, userId);
    const key = ports.secrets.newApiKey();
    const told = { hash: ports.secrets.hash(key), prefix: key.slice(0, PREFIX_LENGTH) };
    const times = { createdAt: now, expiresAt: expiresAt ?? now + KEY_LIFE, revokedAt: null };
    const unused = { lastUsedAt: null, lastUsedAddress: null };
    const apiKey: ApiKey = {
      id: newId(),
      userId,
      name,
      scopes,
      ...home,
      barredTeams: [],
      ...told,
      ...times,
      ...unused,
    };
    await stores.apiKeys.create(apiKey);
    await note({
      teamId: home.teamId,
      action: 'api_key.create',
      resource: { type: 'api_key', id: apiKey.id },
      detail: { name, scopes, ...(home.projectId === null ? {} : { project_id: home.projectId }) },
    });
    return { apiKey, key };
  };
  return change(ports, by, create, hold);
}

interface RevokeApiKey {
  readonly by: Actor;
  readonly keyId: string;
}

/** Revokes one of one's own keys. @throws DomainError `not-found` */
export function revokeApiKey(ports: ChangePorts, { by, keyId }: RevokeApiKey): Promise<void> {
  return change(ports, by, async ({ stores, now, note }) => {
    const { userId } = by.principal;
    const key = (await stores.apiKeys.ofUser(userId)).find((one) => one.id === keyId);
    if (key === undefined || !(await stores.apiKeys.revoke(userId, keyId, now))) throw notFound('API key');
    const { teamId, name } = key;
    await note({ teamId, action: 'api_key.revoke', resource: { type: 'api_key', id: keyId }, detail: { name } });
  });
}

interface BarApiKey extends InTeam {
  readonly keyId: string;
}

/**
 * Ends the reach of a key into one team for good; in the other teams of its maker it stays valid.
 * @throws DomainError `not-found`, `forbidden`
 */
export function barApiKey(ports: ChangePorts, command: BarApiKey): Promise<void> {
  return runTeamChange(ports, command, async ({ stores, team, now, note }) => {
    const { keyId } = command;
    const found = await stores.apiKeys.reachingOf(team.id, keyId, now);
    if (found === undefined || !(await stores.apiKeys.bar(keyId, team.id))) throw notFound('API key');
    const detail = { name: found.key.name, maker: found.maker.name };
    await note({ teamId: team.id, action: 'api_key.bar', resource: { type: 'api_key', id: keyId }, detail });
  });
}
