import { DomainError, type Fault, notFound } from '../errors.js';
import type { ListOrder, Page, PageRequest } from '../page.js';
import { atLeast, ROLES, type Role } from '../team.js';
import { contains, type Instant, type Interval } from '../time.js';

export const SCOPES = ['read', 'deployments:write', 'test-runs:write', 'axes:write'] as const;
/** What an API key may be used for. */
export type Scope = (typeof SCOPES)[number];

/** Where a key belongs. */
interface KeyHome {
  /** Teams in which names are looked for first. */
  readonly teamIds: readonly string[];
  /** The only project in sight; null: all projects of the teams in sight. */
  readonly projectId: string | null;
}

/** Who makes a request, with all that decides what it may do. */
export interface Principal {
  readonly kind: 'session' | 'api_key';
  /** The id of the session or the key. */
  readonly id: string;
  readonly userId: string;
  /** The key's name, or the person's. */
  readonly name: string;
  /** A session has all scopes. */
  readonly scopes: readonly Scope[];
  /** The roles of the person in the teams in sight; for a key of one team only that team. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The home of an API key. Without one, names are looked for in all teams in sight alike. */
  readonly home?: KeyHome;
  readonly administrator: boolean;
  readonly expiresAt: Instant;
}

/** Ids of the teams the principal sees, sorted. */
export const teamsInSight = (principal: Principal): readonly string[] => [...principal.roles.keys()].sort();

/** Whether the principal sees the project: its team and, by a key of one project, that very project. */
export const seesProject = (
  { roles, home }: Principal,
  { id, teamId }: { readonly id: string; readonly teamId: string },
): boolean => roles.has(teamId) && (home?.projectId ?? id) === id;

/** Returns a principal that sees only its home; the same principal when it has no home. */
export const atHome = (principal: Principal): Principal => {
  const { home, roles } = principal;
  return home === undefined
    ? principal
    : { ...principal, roles: new Map([...roles].filter(([teamId]) => home.teamIds.includes(teamId))) };
};

/**
 * Checks whether a name that no project at the home of the key has may match projects of other teams in sight. It may
 * not while a team of the home is out of sight: a project there may have the name.
 */
export const mayMatchOutsideHome = ({ home, roles }: Principal): boolean =>
  home !== undefined && roles.size > home.teamIds.length && home.teamIds.every((teamId) => roles.has(teamId));

/** The principal's role in the team. @throws DomainError `not-found` when the principal does not see the team */
export const requireInSight = ({ roles }: Principal, teamId: string): Role => {
  const role = roles.get(teamId);
  if (role === undefined) throw notFound('team');
  return role;
};

/**
 * Demands a role in a team.
 * @throws DomainError `not-found` when the team is out of sight, `forbidden` when the role there is too weak
 * @throws TypeError when `needed` is no role: a caller in JavaScript may leave it out, and that must not mean that any role is
 * enough
 */
export const requireRole = (principal: Principal, teamId: string, needed: Role): void => {
  const role = requireInSight(principal, teamId);
  if (!ROLES.includes(needed)) throw new TypeError(`A command needs a role in the team; ${needed} is none.`);
  if (atLeast(role, needed)) return;
  throw new DomainError('forbidden', `This needs the role ${needed} in the team; yours is ${role}.`, { needed, role });
};

/** Who gives a command, and from where. */
export interface Actor {
  readonly principal: Principal;
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
}

/** Who made a change: a person, an API key, or the repository host by its title. */
export interface Author {
  readonly kind: 'person' | 'api_key' | 'host';
  readonly name: string;
  /** The person, or the maker of the API key. Missing: the host, or a change from before this was stored. */
  readonly userId?: string;
}

/** The principal as the author of a change. */
export const authorOf = ({ kind, name, userId }: Principal): Author => ({
  kind: kind === 'session' ? 'person' : 'api_key',
  name,
  userId,
});

/** Who asks for something that concerns one team. */
export interface TeamCaller {
  readonly principal: Principal;
  /**
   * The least role that the request needs in the team. It comes from the table of operations, the only place that
   * states roles; an embedder without that table sets it.
   */
  readonly needs: Role;
}

/** Who gives a command that concerns one team, and from where. */
export interface TeamActor extends Actor, TeamCaller {}

/** An action for the audit log, without actor and moment. */
export interface AuditedActionDetails {
  readonly teamId: string | null;
  /** Noun and verb: `release.ship`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The actor in the audit log of what the service does by itself. */
export const SERVICE_ACTOR: AuditEntry['actor'] = { userId: null, name: 'Shipworthy', kind: 'service' };

/** The audit log's entry for an action. Its detail must hold no secret. */
export const auditEntry = (id: string, at: Instant, by: Actor, audited: AuditedActionDetails): AuditEntry => ({
  id,
  teamId: audited.teamId,
  at,
  actor: { userId: by.principal.userId, name: by.principal.name, kind: by.principal.kind },
  action: audited.action,
  resource: audited.resource,
  address: by.address,
  requestId: by.requestId,
  detail: audited.detail ?? {},
});

/** Where a request without a known person comes from. */
export interface Origin {
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
}

const hex = (group: number): string => group.toString(16);

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2). */
const groupsOf = (address: string): readonly number[] => {
  const asHex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${hex(Number(a) * 256 + Number(b))}:${hex(Number(c) * 256 + Number(d))}`,
  );
  const [head = '', tail = ''] = asHex.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, behind] = [numbers(head), numbers(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => 0);
  return [...before, ...zeros, ...behind];
};

/**
 * The key under which limits count a caller: an IPv4 address, or the /64 network that a single IPv6 subscriber holds. An IPv4
 * address written as IPv6 is that IPv4 address.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const [zone = ''] = address.split('%', 1);
  const groups = groupsOf(zone);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups.slice(0, 4).map(hex).join(':')}::/64`;
};

/** A key for pipelines. The key itself is shown once and never kept. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The only team the key sees, and its home; null: it sees all teams of its maker. */
  readonly teamId: string | null;
  /** The only project it sees, one of that team; null: all projects. */
  readonly projectId: string | null;
  /**
   * The home of a key of all teams: the teams its maker was in when the key was made, or when homes were introduced.
   * Empty for other keys.
   */
  readonly homeTeams: readonly string[];
  /** Teams whose owners barred the key. */
  readonly barredTeams: readonly string[];
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** The first characters, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Coarse: written once a minute at most. */
  readonly lastUsedAt: Instant | null;
  /** Network address of that use; null: never used, or not since addresses are kept. */
  readonly lastUsedAddress: string | null;
  readonly revokedAt: Instant | null;
}

const DAY = 24 * 3_600_000;
/** How long a key lives unless its maker says otherwise, in milliseconds: 90 days. */
export const KEY_LIFE = 90 * DAY;
/** Longest life of a key, in milliseconds: 365 days. */
export const LONGEST_KEY_LIFE = 365 * DAY;

/** A key expires soon when this much time or less is left, in milliseconds: 14 days. */
const EXPIRES_SOON = 14 * DAY;

/** Whether the key is in its last 14 days; a key that has expired is, too. */
export const expiresSoon = (expiresAt: Instant, now: Instant): boolean => expiresAt - now <= EXPIRES_SOON;

/** Everything wrong with a wished expiry; empty when nothing is. */
export const keyExpiryFaults = (expiresAt: Instant, now: Instant): readonly Fault[] =>
  expiresAt > now && expiresAt <= now + LONGEST_KEY_LIFE
    ? []
    : [{ pointer: '/expires_at', code: 'out-of-range', message: 'A key expires after now and within 365 days.' }];

/**
 * Checks whether the maker may give a key these scopes: writing needs the role member in the team of the key, or in any
 * team for a key of all teams (`teamId` null).
 */
export const mayHoldScopes = (
  scopes: readonly Scope[],
  teamId: string | null,
  roles: ReadonlyMap<string, Role>,
): boolean => {
  if (scopes.every((scope) => scope === 'read')) return true;
  const concerned = teamId === null ? [...roles.values()] : [roles.get(teamId) ?? 'viewer'];
  return concerned.some((role) => atLeast(role, 'member'));
};

/** A key as the owners of a team it reaches see it. */
export interface ReachingKey {
  readonly key: ApiKey;
  readonly maker: User;
}

/** The text in which a search for keys looks: name and prefix of the key, name and address of its maker. */
export const namesOfKey = ({ key, maker }: ReachingKey): string =>
  `${key.name} ${key.prefix} ${maker.name} ${maker.email}`;

export interface ApiKeyStore {
  create(key: ApiKey): Promise<void>;
  /** The key (revoked and expired ones too) with its maker and the maker's roles now; one query. */
  byHash(
    hash: string,
  ): Promise<{ readonly key: ApiKey; readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined>;
  /** Newest first (createdAt, then id), revoked ones left out. */
  ofUser(userId: string): Promise<readonly ApiKey[]>;
  /** Revokes a key of the person; false when they have no such unrevoked key. */
  revoke(userId: string, keyId: string, at: Instant): Promise<boolean>;
  /** Stores when and from which network address the key was last used; called once a minute at most. */
  touch(keyId: string, at: Instant, address: string): Promise<void>;
  /**
   * A page of the keys that reach the team at that moment, with their makers: of the team or of all teams, made by one of its
   * members, not revoked, expired or barred there; optionally only those whose `namesOfKey` hold all words, in any case. Newest first
   * (createdAt, then id).
   */
  reaching(
    teamId: string,
    at: Instant,
    page: PageRequest,
    text?: { readonly words: readonly string[] },
  ): Promise<Page<ReachingKey>>;
  /** The key of that id, where it reaches the team at that moment. */
  reachingOf(teamId: string, keyId: string, at: Instant): Promise<ReachingKey | undefined>;
  /** Takes the key out of the team for good; false when there is no such key or it was barred there before. */
  bar(keyId: string, teamId: string): Promise<boolean>;
}

export interface User {
  readonly id: string;
  /** The address as given; unique by its key (`addressKey`). */
  readonly email: string;
  /** Whether the address is proved to be the person's: an administrator bound an invitation to it, or vouched for it. */
  readonly emailVerified: boolean;
  readonly name: string;
  /** May invite people; sees no team by that alone. */
  readonly administrator: boolean;
  readonly createdAt: Instant;
  /** Since when the account is disabled: neither sessions nor keys work. null: it is not. */
  readonly disabledAt: Instant | null;
}

/** Who did what to which resource, from where. Never holds a secret. */
export interface AuditEntry {
  readonly id: string;
  /** null: concerns no single team. */
  readonly teamId: string | null;
  readonly at: Instant;
  /** `service`: no person; the service does it by itself. */
  readonly actor: {
    readonly userId: string | null;
    readonly name: string;
    readonly kind: 'session' | 'api_key' | 'service';
  };
  /** Noun and verb: `release.ship`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  /** Network address of the caller; empty, like the request's id, where the service acted by itself. */
  readonly address: string;
  readonly requestId: string;
  /** What changed, in words or values fit to be read. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Which entries of an audit log are listed; a missing member filters nothing. */
export interface AuditFilter {
  readonly teamId: string;
  /** What this person did, by API keys too. */
  readonly userId?: string;
  /** An action, such as `release.ship`, or only its noun, such as `release`, for all actions on it. */
  readonly action?: string;
  readonly at?: Interval;
}

/** Whether the filter lets the entry through. */
export const passesAuditFilter = ({ teamId, at, actor, action }: AuditEntry, filter: AuditFilter): boolean =>
  teamId === filter.teamId &&
  (filter.userId === undefined || actor.userId === filter.userId) &&
  (filter.action === undefined || `${action}.`.startsWith(`${filter.action}.`)) &&
  (filter.at === undefined || contains(filter.at, at));

/** Append-only. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** By moment, then id; newest first unless `order` says otherwise. */
  page(filter: AuditFilter, page: PageRequest, order?: ListOrder): Promise<Page<AuditEntry>>;
}
