import type { PendingApproval } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleApproval, sampleConnection, storedConnection } from './sample-host.js';
import { AWKWARD, DAY, HOUR, NOON, sampleHash, sampleId, unique } from './sample-records.js';
import { storedUser } from './sample-world.js';

/** HostConnectionStore: connections and approvals; its claims have a suite of their own. */
export const hostConnectionsContract = (opened: Opened): void => {
  describe('connections to a repository host', () => {
    it('are one of a user at a host, and come back to the letter', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const full = sampleConnection(user.id, {
        account: { id: AWKWARD, name: AWKWARD },
        grant: { sealed: AWKWARD, expiresAt: NOON + HOUR },
        state: 'rejected',
        pausedUntil: NOON + 1,
      });
      const elsewhere = sampleConnection(user.id);
      await stores.hostConnections.put(full);
      await stores.hostConnections.put(elsewhere);
      expect(await again.hostConnections.of(user.id, full.host)).to.deep.equal(full);
      expect(await again.hostConnections.of(user.id, elsewhere.host)).to.deep.equal(elsewhere);
      expect(await again.hostConnections.of(sampleId(), full.host)).to.equal(undefined);
      const next = sampleConnection(user.id, { host: full.host, connectedAt: NOON + DAY });
      await stores.hostConnections.put(next);
      expect(await again.hostConnections.of(user.id, full.host)).to.deep.equal(next);
    });

    it('are replaced and removed only at the version that was seen', async () => {
      const { stores, again } = opened();
      const first = await storedConnection(stores);
      const second = { ...first, state: 'revoking', version: 2 } as const;
      expect(await stores.hostConnections.replace({ ...second, version: 3 })).to.equal(false);
      expect(await stores.hostConnections.replace(second)).to.equal(true);
      expect(await stores.hostConnections.replace(second)).to.equal(false);
      expect(await again.hostConnections.of(first.userId, first.host)).to.deep.equal(second);
      expect(await stores.hostConnections.remove(first)).to.equal(false);
      expect(await stores.hostConnections.remove(second)).to.equal(true);
      expect(await stores.hostConnections.remove(second)).to.equal(false);
      expect(await again.hostConnections.of(first.userId, first.host)).to.equal(undefined);
      expect(await stores.hostConnections.replace({ ...second, version: 3 })).to.equal(false);
    });

    it('are refreshed by one of many at once, until that one is late, or through', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const { userId, host } = connection;
      const claim = (now: number, from = stores) => from.hostConnections.claimRefresh(userId, host, now, 1000);
      const claims = await Promise.all(Array.from({ length: 8 }, (_, turn) => claim(NOON, turn % 2 ? stores : again)));
      expect(claims.filter((mine) => mine)).to.have.lengthOf(1);
      expect(await claim(NOON + 999)).to.equal(false);
      expect(await claim(NOON + 1000)).to.equal(true);
      expect(await claim(NOON + 1001)).to.equal(false);
      const paused = { ...connection, pausedUntil: NOON, version: 2 };
      expect(await stores.hostConnections.replace(paused)).to.equal(true);
      expect(await claim(NOON + 1001)).to.equal(false);
      const refused = { ...paused, state: 'rejected', version: 3 } as const;
      expect(await stores.hostConnections.replace(refused)).to.equal(true);
      expect(await claim(NOON + 1002)).to.equal(true);
      const renewed = { ...refused, grant: { sealed: unique('sealed'), expiresAt: null }, version: 4 };
      expect(await again.hostConnections.replace(renewed)).to.equal(true);
      expect(await claim(NOON + 1002)).to.equal(true);
      await stores.hostConnections.put({ ...renewed, version: 5 });
      expect(await claim(NOON + 1003)).to.equal(true);
      expect(await claim(NOON + 1004)).to.equal(false);
      expect(await stores.hostConnections.claimRefresh(userId, unique('host'), NOON, 1000)).to.equal(false);
    });
  });

  describe('the refresh of a grant', () => {
    it('may begin again once its holder gives it back', async () => {
      const { stores, again } = opened();
      const { userId, host } = await storedConnection(stores);
      const claim = (now: number) => stores.hostConnections.claimRefresh(userId, host, now, 1000);
      expect(await claim(NOON)).to.equal(true);
      for (const until of [NOON, NOON + 999, NOON + 1001])
        await again.hostConnections.releaseRefresh(userId, host, until);
      await again.hostConnections.releaseRefresh(userId, unique('host'), NOON + 1000);
      expect(await claim(NOON + 1)).to.equal(false);
      await again.hostConnections.releaseRefresh(userId, host, NOON + 1000);
      expect(await claim(NOON + 1)).to.equal(true);
      await again.hostConnections.releaseRefresh(userId, host, NOON + 1000);
      expect(await claim(NOON + 2)).to.equal(false);
    });
  });

  describe('grants to be ended', () => {
    it('are given out one by one to many at once, longest due first, and come back until they are removed', async () => {
      const { stores, again } = opened();
      const host = unique('host');
      const { id: userId } = await storedUser(stores);
      const endings = [2, 0, 1].map((minutes) => ({
        ending: { userId, host, grant: { sealed: `${AWKWARD} ${sampleHash()}`, expiresAt: minutes ? NOON : null } },
        dueAt: NOON + minutes,
      }));
      for (const { ending, dueAt } of endings) await stores.hostConnections.putFormerGrant(ending, dueAt);
      const elsewhere = { userId, host: unique('host'), grant: { sealed: sampleHash(), expiresAt: null } };
      await stores.hostConnections.putFormerGrant(elsewhere, NOON);
      const claim = (now: number, from = stores) => from.hostConnections.claimFormerGrant(host, now, 1000);
      expect(await claim(NOON - 1)).to.equal(undefined);
      const [last, first, second] = endings.map(({ ending }) => ending);
      expect([await claim(NOON + 1, again), await claim(NOON + 1)]).to.deep.equal([first, second]);
      expect(await claim(NOON + 1)).to.equal(undefined);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, turn) => claim(NOON + 2, turn % 2 ? stores : again)),
      );
      expect(claims.filter((each) => each !== undefined)).to.deep.equal([last]);
      if (first === undefined) throw new Error('three grants expected');
      expect(await stores.hostConnections.removeFormerGrant({ ...first, userId: sampleId() })).to.equal(false);
      expect(await stores.hostConnections.removeFormerGrant(first)).to.equal(true);
      expect(await stores.hostConnections.removeFormerGrant(first)).to.equal(false);
      expect(await claim(NOON + 1000, again)).to.equal(undefined);
      expect(await claim(NOON + 1001, again)).to.deep.equal(second);
      expect(await again.hostConnections.claimFormerGrant(elsewhere.host, NOON, 1000)).to.deep.equal(elsewhere);
    });
  });

  describe('approvals under way', () => {
    it('are taken once, to the letter, by one of many at once', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const [approval, other] = [sampleApproval(user.id), sampleApproval(user.id)];
      await stores.hostConnections.begin(approval);
      await stores.hostConnections.begin(other);
      const take = (turn: number) =>
        (turn % 2 ? stores : again).hostConnections.take(approval.stateHash, approval.sessionId);
      const taken = await Promise.all(Array.from({ length: 8 }, (_, turn) => take(turn)));
      expect(taken.filter((each) => each !== undefined)).to.deep.equal([approval]);
      expect(await take(0)).to.equal(undefined);
      expect(await stores.hostConnections.take(sampleHash(), approval.sessionId)).to.equal(undefined);
      expect(await stores.hostConnections.take(other.stateHash, sampleId()), 'another session').to.equal(undefined);
      expect(await again.hostConnections.take(other.stateHash, other.sessionId)).to.deep.equal(other);
    });

    it('are taken when they have expired too, and forgotten then', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const long = NOON - 300 * DAY;
      await stores.hostConnections.removeExpired(long);
      const approvals = [-3, -2, -1, 0].map((offset) => sampleApproval(user.id, { expiresAt: long + offset }));
      for (const approval of approvals) await stores.hostConnections.begin(approval);
      const [expired, ...left] = approvals;
      const take = ({ stateHash, sessionId }: PendingApproval) => again.hostConnections.take(stateHash, sessionId);
      expect(expired && (await take(expired))).to.deep.equal(expired);
      expect(await stores.hostConnections.removeExpired(long)).to.equal(2);
      expect(await stores.hostConnections.removeExpired(long)).to.equal(0);
      const found = [];
      for (const approval of left) found.push(await take(approval));
      expect(found).to.deep.equal([undefined, undefined, left[2]]);
    });
  });
};
