import type { Role } from '../team/team.js';
import type { ApiKey } from './api-key.js';
import { type Principal, SCOPES } from './principal.js';
import type { Session } from './session-store.js';
import type { User } from './user.js';

/** The person of a session, with all the person may do now. */
export const sessionPrincipal = (session: Session, user: User, roles: ReadonlyMap<string, Role>): Principal => ({
  kind: 'session',
  id: session.id,
  userId: user.id,
  name: user.name,
  scopes: SCOPES,
  roles,
  administrator: user.administrator,
  expiresAt: session.expiresAt,
});

const reaches = ({ teamId, barredTeams }: ApiKey, reached: string): boolean =>
  (teamId === null || teamId === reached) && !barredTeams.includes(reached);

/** An API key, with what its maker may do now, narrowed to where the key reaches; never an administrator. */
export const keyPrincipal = (key: ApiKey, roles: ReadonlyMap<string, Role>): Principal => ({
  kind: 'api_key',
  id: key.id,
  userId: key.userId,
  name: key.name,
  scopes: key.scopes,
  roles: new Map([...roles].filter(([teamId]) => reaches(key, teamId))),
  home: { teamIds: key.teamId === null ? key.homeTeams : [key.teamId], projectId: key.projectId },
  administrator: false,
  expiresAt: key.expiresAt,
});
