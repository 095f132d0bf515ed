import { expect } from 'chai';
import type { HostConnection } from '../../src/repository/host-connection.js';
import { disconnectHost } from '../../src/use-cases/disconnect-host.js';
import { withAccess } from '../../src/use-cases/with-access.js';
import { refused } from '../refusal.js';
import { unreachable } from './forge.js';
import { connecting, type HostScene, hostScene } from './host-scene.js';
import { HOUR } from './world.js';

const asking = (here: HostScene, connection: HostConnection) =>
  withAccess(here, connection, here.time.now + 4_500, (access) => here.forge.host.repositories.account(access));
/** The grant is spent at the host, and another one is good. */
const rotated = ({ forge }: HostScene, { grant }: HostConnection) => {
  forge.good.delete(grant.sealed);
  return forge.grant();
};

describe('A grant the host refuses', () => {
  it('marks the connection as rejected when there is no other one', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    here.forge.good.clear();
    await refused(asking(here, connection), 'host-rejected');
    expect(await here.stored()).to.deep.equal({ ...connection, state: 'rejected', version: 2 });
    expect(here.forge.calls).to.deep.equal(['account']);
  });
  it('marks the connection when the renewed one is refused too', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    here.forge.meanwhile = async (call) => {
      if (call === 'account') here.forge.good.clear();
      else here.forge.good.add(connection.grant.sealed);
    };
    await refused(asking(here, connection), 'host-rejected');
    expect(here.forge.calls).to.deep.equal(['account', 'refresh', 'account']);
    expect((await here.stored())?.state).to.equal('rejected');
  });
  it('is no refusal of the one another refresher has stored: that one is used', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const next = { ...connection, grant: rotated(here, connection), version: 2 };
    await here.stores.hostConnections.replace(next);
    await asking(here, connection);
    expect(await here.stored()).to.deep.equal(next);
    expect(here.forge.calls).to.deep.equal(['account', 'account']);
  });
  it('is waited for while another refresher has not stored the new one yet', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const { hostConnections } = here.stores;
    await hostConnections.claimRefresh(connection.userId, 'forge', here.time.now, 5_000);
    const next = { ...connection, grant: rotated(here, connection), version: 2 };
    const waited: number[] = [];
    const pause = async (ms: number) => {
      waited.push(ms);
      if (waited.length === 3) await hostConnections.replace(next);
      await here.pause(ms);
    };
    await asking({ ...here, pause }, connection);
    expect(waited).to.have.lengthOf(3);
    expect(await here.stored()).to.deep.equal(next);
    expect(here.forge.calls).to.not.include('refresh');
  });
  it('leaves a connection alone that was approved again meanwhile', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    let again: HostConnection | undefined;
    here.forge.good.clear();
    here.forge.meanwhile = async () => {
      again ??= await connecting(here);
    };
    await asking(here, connection);
    expect(await here.stored()).to.deep.equal(again);
  });
  it('spent by two refreshers leaves the grant of the one that got it', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const next = { ...connection, grant: { sealed: '', expiresAt: here.time.now + HOUR }, version: 2 };
    here.forge.meanwhile = async (call) => {
      if (call !== 'refresh') return;
      next.grant = { ...rotated(here, connection), expiresAt: here.time.now + HOUR };
      await here.stores.hostConnections.replace(next);
    };
    await asking(here, connection);
    expect(await here.stored()).to.deep.equal(next);
  });
  it('heals a refusal that was marked while the new one was on its way', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.meanwhile = async (call) => {
      if (call === 'refresh')
        await here.stores.hostConnections.replace({ ...connection, state: 'rejected', version: 2 });
    };
    await asking(here, connection);
    expect(await here.stored()).to.include({ state: 'ok', version: 3 });
  });
  it('is told from everything else that goes wrong, which changes nothing', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    here.forge.meanwhile = async () => {
      throw unreachable();
    };
    await refused(asking(here, connection), 'host-unavailable');
    expect(await here.stored()).to.deep.equal(connection);
    expect(here.forge.calls).to.deep.equal(['account']);
  });
});

describe('The renewal of a grant', () => {
  const mayRenew = ({ stores, time }: HostScene, { userId, host }: HostConnection) =>
    stores.hostConnections.claimRefresh(userId, host, time.now, 1_000);
  it('may begin again at once when it failed', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    here.forge.meanwhile = async () => {
      throw unreachable();
    };
    await refused(asking(here, connection), 'host-unavailable');
    here.forge.meanwhile = async () => undefined;
    await asking(here, connection);
    expect(here.forge.calls).to.deep.equal(['refresh', 'refresh', 'account']);
  });
  it('may begin again at once when there was another grant already', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    const { hostConnections } = here.stores;
    const next = {
      ...connection,
      grant: { ...rotated(here, connection), expiresAt: here.time.now + HOUR },
      version: 2,
    };
    const claimRefresh: typeof hostConnections.claimRefresh = async (...given) => {
      await hostConnections.replace(next);
      return hostConnections.claimRefresh(...given);
    };
    const stores = { ...here.stores, hostConnections: { ...hostConnections, claimRefresh } };
    await asking({ ...here, stores }, connection);
    expect(here.forge.calls).to.deep.equal(['account']);
    expect(await mayRenew(here, connection)).to.equal(true);
  });
});

describe('A grant renewed for somebody who disconnects meanwhile', () => {
  const disconnectingDuringRefresh = async (reachable: boolean) => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now);
    let during = false;
    here.forge.meanwhile = async (call) => {
      if (call === 'refresh') {
        during = true;
        await disconnectHost(here)({ by: here.owner });
        during = false;
        here.forge.good.add(connection.grant.sealed);
      } else if (during && !reachable) throw unreachable();
    };
    await refused(asking(here, connection), 'host-not-connected');
    return here;
  };
  it('is ended at the host at once', async () => {
    const here = await disconnectingDuringRefresh(true);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('is kept to be ended later when the host cannot be reached', async () => {
    const here = await disconnectingDuringRefresh(false);
    const stored = await here.stored();
    expect(stored?.state).to.equal('revoking');
    expect([...here.forge.good]).to.deep.equal([stored?.grant.sealed]);
  });
});
