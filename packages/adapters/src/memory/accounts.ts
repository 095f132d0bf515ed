import {
  addressKey,
  DomainError,
  holdsWords,
  type Instant,
  type Invitation,
  invitationState,
  namesOfKey,
  namesOfUser,
  passesAuditFilter,
  type ReachingKey,
  type Role,
  type User,
} from '@shipworthy/domain';
import type {
  ApiKeyStore,
  AuditStore,
  InvitationStore,
  SessionStore,
  SignInStore,
  UserStore,
} from '@shipworthy/domain/ports';
import { ascending, descending, pageDown, pageUp } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

export const userStore = ({ read, change }: TableAccess): UserStore => ({
  createFirst: (user, passwordHash) =>
    change(({ users }) => {
      if (users.all().length > 0) return false;
      users.put(user.id, { user, passwordHash });
      return true;
    }),
  create: (user, passwordHash) =>
    change(({ users }) => {
      if (users.where('email', addressKey(user.email)).length > 0) {
        throw new DomainError('email-taken', 'There is an account with this email address.');
      }
      users.put(user.id, { user, passwordHash });
    }),
  byId: (userId) => read(({ users }) => users.get(userId)?.user),
  byEmail: (email) => read(({ users }) => users.where('email', addressKey(email))[0]),
  verifyEmail: (userId) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, user: { ...found.user, emailVerified: true } });
    }),
  changePassword: (userId, passwordHash) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, passwordHash });
    }),
  administrators: () =>
    read(({ users }) => {
      const all = users.all().flatMap(({ user }) => (user.administrator ? [user] : []));
      return ascending(all, ({ createdAt, id }) => [createdAt, id]);
    }),
  setDisabled: (userId, at) =>
    change(({ users }) => {
      const found = users.get(userId);
      if (found !== undefined) users.put(userId, { ...found, user: { ...found.user, disabledAt: at } });
    }),
  // Transactions run one at a time, so being in one locks everything already.
  lock: () => read(() => undefined),
  lockAdministrators: () => read(() => undefined),
  page: (page, text) =>
    read(({ users }) => {
      const isFound = holdsWords(text);
      const all = users
        .all()
        .map(({ user }) => user)
        .filter((user) => isFound(namesOfUser(user)));
      return pageUp(all, ({ createdAt, id }) => [createdAt, id], page);
    }),
  any: () => read(({ users }) => users.all().length > 0),
});

/** A person with their present roles. */
const personWithRoles = (
  { users, memberships }: Tables,
  userId: string,
): { readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined => {
  const found = users.get(userId);
  if (found === undefined) return undefined;
  const roles = new Map(memberships.where('user', userId).map(({ teamId, role }) => [teamId, role]));
  return { user: found.user, roles };
};

export const sessionStore = ({ read, change }: TableAccess): SessionStore => ({
  create: (session) => change(({ sessions }) => sessions.put(session.id, session)),
  bySecretHash: (secretHash) =>
    read((tables) => {
      const [session] = tables.sessions.where('secretHash', secretHash);
      const person = session === undefined ? undefined : personWithRoles(tables, session.userId);
      return session === undefined || person === undefined ? undefined : { session, ...person };
    }),
  touch: (sessionId, at) =>
    change(({ sessions }) => {
      const session = sessions.get(sessionId);
      if (session !== undefined) sessions.put(sessionId, { ...session, lastSeenAt: at });
    }),
  remove: (sessionId) => change(({ sessions }) => void sessions.remove(sessionId)),
  removeOthers: (userId, keptSessionId) =>
    change(({ sessions }) => {
      for (const { id } of sessions.where('user', userId)) if (id !== keptSessionId) sessions.remove(id);
    }),
  removeExpired: (now) =>
    change(({ sessions }) => {
      const expired = sessions.all().filter(({ expiresAt }) => expiresAt <= now);
      for (const { id } of expired) sessions.remove(id);
      return expired.length;
    }),
});

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

export const signInStore = ({ change }: TableAccess): SignInStore => ({
  attempt: (attempt) =>
    change(({ attempts, knownAddresses }) => {
      attempts.put(attempt.id, attempt);
      const { account, address, at } = attempt;
      const ofAccount = attempts.where('account', account).filter((each) => each.at > at - HOUR);
      const ofAddress = attempts.where('address', address).filter((each) => each.at > at - MINUTE);
      return {
        pair: ofAddress.filter((each) => each.account === account).length,
        address: ofAddress.length,
        account: ofAccount.length,
        addressKnown: knownAddresses.get(keyOf(account, address)) === true,
      };
    }),
  succeeded: ({ id, account, address }) =>
    change(({ attempts, knownAddresses }) => {
      attempts.remove(id);
      knownAddresses.put(keyOf(account, address), true);
    }),
  removeBefore: (at) =>
    change(({ attempts }) => {
      const old = attempts.all().filter((each) => each.at < at);
      for (const { id } of old) attempts.remove(id);
      return old.length;
    }),
});

/** The open invitations whose maker may still invite, each with the maker's name. */
const pendingOf = ({ invitations, memberships, users }: Tables, at: Instant) => {
  const found = invitations.all().flatMap((invitation) => {
    const maker = users.get(invitation.createdBy)?.user;
    if (maker === undefined || maker.disabledAt !== null || invitationState(invitation, at) !== 'open') return [];
    const { team, createdBy } = invitation;
    const mayInvite =
      team === null ? maker.administrator : memberships.get(keyOf(team.id, createdBy))?.role === 'owner';
    return mayInvite ? [{ invitation, maker: maker.name }] : [];
  });
  return ascending(found, ({ invitation: { createdAt, id } }) => [createdAt, id]);
};

const canBeRevoked = ({ acceptedAt, revokedAt }: Invitation): boolean => acceptedAt === null && revokedAt === null;

export const invitationStore = ({ read, change }: TableAccess): InvitationStore => ({
  create: (invitation) => change(({ invitations }) => invitations.put(invitation.id, invitation)),
  byId: (invitationId) => read(({ invitations }) => invitations.get(invitationId)),
  bySecretHash: (secretHash) => read(({ invitations }) => invitations.where('secretHash', secretHash)[0]),
  accept: (invitationId, at) =>
    change(({ invitations }) => {
      const invitation = invitations.get(invitationId);
      if (invitation === undefined || invitationState(invitation, at) !== 'open') return false;
      invitations.put(invitationId, { ...invitation, acceptedAt: at });
      return true;
    }),
  pending: (teamId, at) =>
    read((tables) =>
      pendingOf(tables, at).flatMap(({ invitation: { id, team, email, createdAt, expiresAt }, maker }) =>
        (team?.id ?? null) === teamId
          ? [{ id, role: team?.role ?? null, email, createdBy: maker, createdAt, expiresAt }]
          : [],
      ),
    ),
  received: (key, at) =>
    read((tables) =>
      pendingOf(tables, at).flatMap(({ invitation: { id, team: to, email, createdAt, expiresAt }, maker }) => {
        const team = to === null ? undefined : tables.teams.get(to.id);
        if (to === null || team === undefined || email === null || addressKey(email) !== key) return [];
        return [{ id, team: { id: team.id, name: team.name }, role: to.role, createdBy: maker, createdAt, expiresAt }];
      }),
    ),
  revoke: (teamId, invitationId, at) =>
    change(({ invitations }) => {
      const found = invitations.get(invitationId);
      if (found === undefined || (found.team?.id ?? null) !== teamId || !canBeRevoked(found)) return false;
      invitations.put(invitationId, { ...found, revokedAt: at });
      return true;
    }),
  revokeMadeBy: ({ userId, teamId }, at) =>
    change(({ invitations }) => {
      for (const found of invitations.all()) {
        const isMeant = found.createdBy === userId && (teamId === undefined || found.team?.id === teamId);
        if (isMeant && canBeRevoked(found)) invitations.put(found.id, { ...found, revokedAt: at });
      }
    }),
});

const keysReaching = ({ apiKeys, memberships, users }: Tables, teamId: string, at: Instant): readonly ReachingKey[] => {
  const found = memberships.where('team', teamId).flatMap(({ userId }) => {
    const maker = users.get(userId)?.user;
    return maker === undefined ? [] : apiKeys.where('user', userId).map((key) => ({ key, maker }));
  });
  return found.filter(
    ({ key }) =>
      (key.teamId ?? teamId) === teamId &&
      key.revokedAt === null &&
      key.expiresAt > at &&
      !key.barredTeams.includes(teamId),
  );
};

export const apiKeyStore = ({ read, change }: TableAccess): ApiKeyStore => ({
  create: (key) => change(({ apiKeys }) => apiKeys.put(key.id, key)),
  byHash: (hash) =>
    read((tables) => {
      const [key] = tables.apiKeys.where('hash', hash);
      const person = key === undefined ? undefined : personWithRoles(tables, key.userId);
      return key === undefined || person === undefined ? undefined : { key, ...person };
    }),
  ofUser: (userId) =>
    read(({ apiKeys }) => {
      const valid = apiKeys.where('user', userId).filter(({ revokedAt }) => revokedAt === null);
      return descending(valid, ({ createdAt, id }) => [createdAt, id]);
    }),
  revoke: (userId, keyId, at) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key?.userId !== userId || key.revokedAt !== null) return false;
      apiKeys.put(keyId, { ...key, revokedAt: at });
      return true;
    }),
  touch: (keyId, at, address) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key !== undefined) apiKeys.put(keyId, { ...key, lastUsedAt: at, lastUsedAddress: address });
    }),
  reaching: (teamId, at, page, text) =>
    read((tables) => {
      const isFound = holdsWords(text);
      const found = keysReaching(tables, teamId, at).filter((reaching) => isFound(namesOfKey(reaching)));
      return pageDown(found, ({ key }) => [key.createdAt, key.id], page);
    }),
  reachingOf: (teamId, keyId, at) =>
    read((tables) => keysReaching(tables, teamId, at).find(({ key }) => key.id === keyId)),
  bar: (keyId, teamId) =>
    change(({ apiKeys }) => {
      const key = apiKeys.get(keyId);
      if (key === undefined || key.barredTeams.includes(teamId)) return false;
      apiKeys.put(keyId, { ...key, barredTeams: [...key.barredTeams, teamId] });
      return true;
    }),
});

export const auditStore = ({ read, change }: TableAccess): AuditStore => ({
  append: (entry) => change(({ audit }) => audit.put(entry.id, entry)),
  page: (filter, page, order = 'newest-first') =>
    read(({ audit }) => {
      const entries = audit.where('team', filter.teamId).filter((entry) => passesAuditFilter(entry, filter));
      return (order === 'oldest-first' ? pageUp : pageDown)(entries, ({ at, id }) => [at, id], page);
    }),
});
