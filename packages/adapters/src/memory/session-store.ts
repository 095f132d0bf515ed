import type { SessionStore } from '@shipworthy/domain';
import { personWithRoles } from './person.js';
import type { TableAccess } from './table-access.js';

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
