import type { Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { storedConnection, storedLink } from './sample-host.js';
import { MINUTE, NOON, unique } from './sample-records.js';

const LEASE = 1000;

const claim = (stores: Stores, host: string, now = NOON, lease = unique('lease')) =>
  stores.hostConnections.claimWork(host, now, LEASE, lease);

const claimedUser = async (stores: Stores, host: string, now = NOON) =>
  (await claim(stores, host, now))?.connection.userId;

/** HostConnectionStore: who works with which connection. */
export const hostWorkContract = (opened: Opened): void => {
  describe('work for connections', () => {
    it('is given out one connection each to many at once', async () => {
      const { stores, again } = opened();
      const host = unique('host');
      const users: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const connection = await storedConnection(stores, { host });
        await storedLink(stores, connection);
        await storedLink(stores, connection);
        users.push(connection.userId);
      }
      const asked = Array.from({ length: 12 }, (_, turn) => claim(turn % 2 ? stores : again, host));
      const claimed = (await Promise.all(asked)).flatMap((each) => each?.connection.userId ?? []);
      expect(claimed).to.have.lengthOf(new Set(claimed).size);
      // A claim that met another one on the same connection may have found nothing.
      for (let user = await claimedUser(stores, host); user !== undefined; user = await claimedUser(stores, host)) {
        claimed.push(user);
      }
      expect(claimed.toSorted()).to.deep.equal(users.toSorted());
    });

    it('comes with the connection and the name of the claim, for the host asked for', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores, { grant: { sealed: 'sealed', expiresAt: NOON } });
      await storedLink(stores, connection);
      expect(await claim(again, unique('host'))).to.equal(undefined);
      expect(await claim(again, connection.host, NOON, 'mine')).to.deep.equal({ connection, lease: 'mine' });
    });

    it('is there when a link is due or a grant is to be revoked, and not while paused or rejected', async () => {
      const { stores, again } = opened();
      const host = unique('host');
      await storedConnection(stores, { host });
      const later = await storedConnection(stores, { host });
      await storedLink(stores, later, { dueAt: NOON + MINUTE });
      await storedLink(stores, await storedConnection(stores, { host, state: 'rejected' }));
      const paused = await storedConnection(stores, { host, pausedUntil: NOON + 1 });
      await storedLink(stores, paused);
      expect(await claim(again, host)).to.equal(undefined);
      expect(await claimedUser(again, host, NOON + 1)).to.equal(paused.userId);
      const revoking = await storedConnection(stores, { host, state: 'revoking' });
      expect(await claimedUser(again, host)).to.equal(revoking.userId);
      expect(await claimedUser(again, host)).to.equal(undefined);
      expect(await claimedUser(again, host, NOON + MINUTE - 1)).to.be.oneOf([paused.userId, revoking.userId]);
    });

    it('is given out longest waiting first', async () => {
      const { stores, again } = opened();
      const host = unique('host');
      const waits = [3, 1, 2];
      const users: string[] = [];
      for (const minutes of waits) {
        const connection = await storedConnection(stores, { host });
        await storedLink(stores, connection, { dueAt: NOON + MINUTE });
        await storedLink(stores, connection, { dueAt: NOON - minutes * MINUTE });
        users.push(connection.userId);
      }
      const order = [await claimedUser(again, host), await claimedUser(stores, host), await claimedUser(again, host)];
      expect(order).to.deep.equal([users[0], users[2], users[1]]);
    });

    it('is handed over when the lease ends, and the first one learns of it', async () => {
      const { stores, again } = opened();
      const { host, ...connection } = await storedConnection(stores);
      await storedLink(stores, { host, ...connection });
      const first = await claim(stores, host);
      if (first === undefined) throw new Error('nothing claimed');
      expect(await claim(again, host, NOON + LEASE - 1)).to.equal(undefined);
      expect(await stores.hostConnections.keepWork(first, NOON + MINUTE)).to.equal(true);
      expect(await claim(again, host, NOON + LEASE)).to.equal(undefined);
      const second = await claim(again, host, NOON + MINUTE);
      expect(second?.connection.userId).to.equal(connection.userId);
      expect(await stores.hostConnections.keepWork(first, NOON + 2 * MINUTE)).to.equal(false);
      if (second === undefined) throw new Error('nothing claimed');
      expect(await again.hostConnections.keepWork(second, NOON)).to.equal(true);
      expect(await claimedUser(stores, host, NOON + MINUTE)).to.equal(connection.userId);
    });

    it('stays claimed when the connection is replaced, and not when it is connected anew', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const { host } = connection;
      await storedLink(stores, connection);
      const first = await claim(stores, host);
      if (first === undefined) throw new Error('nothing claimed');
      await stores.hostConnections.replace({ ...connection, version: 2 });
      expect(await claim(again, host)).to.equal(undefined);
      expect(await again.hostConnections.keepWork(first, NOON + LEASE)).to.equal(true);
      await again.hostConnections.put({ ...connection, version: 3 });
      expect(await stores.hostConnections.keepWork(first, NOON + LEASE)).to.equal(false);
      expect((await claim(stores, host))?.connection.version).to.equal(3);
    });

    it('is due as soon as a person connects anew, for that connection only', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores, { state: 'rejected' });
      const bystander = await storedConnection(stores, { host: connection.host });
      const linked = await storedLink(stores, connection, { dueAt: NOON + 9 * MINUTE });
      const other = await storedLink(stores, bystander, { dueAt: NOON + 9 * MINUTE });
      await stores.hostConnections.put({ ...connection, state: 'ok', connectedAt: NOON + MINUTE, version: 2 });
      expect((await again.repositoryLinks.byId(linked.link.id))?.state.dueAt).to.equal(NOON + MINUTE);
      expect((await again.repositoryLinks.byId(other.link.id))?.state.dueAt).to.equal(NOON + 9 * MINUTE);
      expect(await claimedUser(again, connection.host, NOON + MINUTE)).to.equal(connection.userId);
    });
  });
};
