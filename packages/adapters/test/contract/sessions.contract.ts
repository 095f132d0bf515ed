import type { Session, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleMembership, sampleSession } from './sample-access.js';
import { MINUTE, NOON, sampleHash } from './sample-records.js';
import { storedTeam, storedUser } from './sample-world.js';

const storedSession = async (stores: Stores, userId: string, over: Partial<Session> = {}): Promise<Session> => {
  const session = sampleSession(userId, over);
  await stores.sessions.create(session);
  return session;
};

/** SessionStore. */
export const sessionsContract = (opened: Opened): void => {
  describe('sessions', () => {
    it('are found with the person and their present roles', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { team: second } = await storedTeam(stores);
      await storedTeam(stores);
      const session = await storedSession(stores, owner.id);
      const find = () => again.sessions.bySecretHash(session.secretHash);
      expect(await find()).to.deep.equal({ session, user: owner, roles: new Map([[team.id, 'owner']]) });
      await stores.teams.addMember(sampleMembership(second.id, owner.id, { role: 'viewer' }));
      await stores.teams.changeRole(team.id, owner.id, 'member');
      expect((await find())?.roles).to.deep.equal(
        new Map([
          [team.id, 'member'],
          [second.id, 'viewer'],
        ]),
      );
      await stores.teams.removeMember(team.id, owner.id);
      await stores.teams.removeMember(second.id, owner.id);
      expect((await find())?.roles).to.deep.equal(new Map());
      expect(await again.sessions.bySecretHash(sampleHash())).to.equal(undefined);
    });

    it('remember when they were last seen', async () => {
      const { stores, again } = opened();
      const session = await storedSession(stores, (await storedUser(stores)).id);
      await stores.sessions.touch(session.id, NOON + 5 * MINUTE);
      const found = await again.sessions.bySecretHash(session.secretHash);
      expect(found?.session).to.deep.equal({ ...session, lastSeenAt: NOON + 5 * MINUTE });
    });

    it('are removed one, others, or all of a person', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const sessions: Session[] = [];
      for (let count = 0; count < 4; count += 1) sessions.push(await storedSession(stores, user.id));
      const foreign = await storedSession(stores, (await storedUser(stores)).id);
      const present = async () => {
        const found = await Promise.all([...sessions, foreign].map((s) => again.sessions.bySecretHash(s.secretHash)));
        return found.map((session) => session !== undefined);
      };
      const [gone, kept] = sessions;
      await stores.sessions.remove(gone?.id ?? '');
      expect(await present()).to.deep.equal([false, true, true, true, true]);
      await stores.sessions.removeOthers(user.id, kept?.id ?? null);
      expect(await present()).to.deep.equal([false, true, false, false, true]);
      await stores.sessions.removeOthers(user.id, null);
      expect(await present()).to.deep.equal([false, false, false, false, true]);
    });

    it('are removed when their absolute end has come', async () => {
      const { stores, again } = opened();
      const { id } = await storedUser(stores);
      await stores.sessions.removeExpired(NOON);
      const sessions = [];
      for (const expiresAt of [NOON - 1, NOON, NOON + 1]) sessions.push(await storedSession(stores, id, { expiresAt }));
      expect(await stores.sessions.removeExpired(NOON)).to.equal(2);
      expect(await stores.sessions.removeExpired(NOON)).to.equal(0);
      const found = await Promise.all(sessions.map((session) => again.sessions.bySecretHash(session.secretHash)));
      expect(found.map((session) => session !== undefined)).to.deep.equal([false, false, true]);
    });
  });
};
