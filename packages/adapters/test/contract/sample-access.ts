import {
  type ApiKey,
  type AuditEntry,
  type Invitation,
  type Membership,
  type Role,
  SCOPES,
  type Session,
  type Team,
  type TeamActor,
  type User,
} from '@shipworthy/domain';
import type { IdempotentRequest } from '@shipworthy/domain/ports';
import { FAR_FUTURE, NOON, sampleHash, sampleId, unique } from './sample-records.js';

export const sampleUser = (over: Partial<User> = {}): User => ({
  id: sampleId(),
  email: `${unique('Ada')}@Example.org`,
  name: 'Ada',
  emailVerified: false,
  administrator: false,
  disabledAt: null,
  createdAt: NOON,
  ...over,
});

export const sampleTeam = (over: Partial<Team> = {}): Team => ({
  id: sampleId(),
  name: unique('team'),
  slug: unique('team'),
  version: 1,
  createdAt: NOON,
  demo: false,
  ...over,
});

export const sampleMembership = (teamId: string, userId: string, over: Partial<Membership> = {}): Membership => ({
  teamId,
  userId,
  role: 'owner',
  createdAt: NOON,
  ...over,
});

/** The owner of a team as the actor of a command that needs `role`. */
export const actorIn = ({ owner, team }: { readonly owner: User; readonly team: Team }, role: Role): TeamActor => ({
  principal: {
    ...{ kind: 'session', id: sampleId(), userId: owner.id, name: owner.name, scopes: SCOPES },
    ...{ roles: new Map([[team.id, 'owner']]), administrator: false, expiresAt: FAR_FUTURE },
  },
  ...{ address: '192.0.2.7', requestId: 'request-1', needs: role },
});

export const sampleSession = (userId: string, over: Partial<Session> = {}): Session => ({
  id: sampleId(),
  secretHash: sampleHash(),
  userId,
  createdAt: NOON,
  lastSeenAt: NOON,
  expiresAt: FAR_FUTURE,
  ...over,
});

export const sampleApiKey = (userId: string, over: Partial<ApiKey> = {}): ApiKey => ({
  id: sampleId(),
  userId,
  name: 'pipeline',
  scopes: ['read', 'deployments:write'],
  teamId: null,
  projectId: null,
  homeTeams: [],
  barredTeams: [],
  hash: sampleHash(),
  prefix: 'swk_abcd',
  createdAt: NOON,
  expiresAt: FAR_FUTURE,
  lastUsedAt: null,
  lastUsedAddress: null,
  revokedAt: null,
  ...over,
});

export const sampleInvitation = (createdBy: string, over: Partial<Invitation> = {}): Invitation => ({
  id: sampleId(),
  secretHash: sampleHash(),
  team: null,
  createdBy,
  createdAt: NOON,
  expiresAt: FAR_FUTURE,
  email: null,
  acceptedAt: null,
  revokedAt: null,
  ...over,
});

export const sampleAuditEntry = (
  teamId: string | null,
  userId: string,
  over: Partial<AuditEntry> = {},
): AuditEntry => ({
  id: sampleId(),
  teamId,
  at: NOON,
  actor: { userId, name: 'Ada', kind: 'session' },
  action: 'release.ship',
  resource: { type: 'release', id: sampleId() },
  address: '127.0.0.1',
  requestId: unique('request'),
  detail: {},
  ...over,
});

export const sampleRequest = (over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  caller: unique('caller'),
  operation: 'POST /api/deployments',
  key: unique('key'),
  fingerprint: sampleHash(),
  at: NOON,
  ...over,
});
