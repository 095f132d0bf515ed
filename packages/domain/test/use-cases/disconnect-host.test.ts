import { expect } from 'chai';
import { disconnectHost } from '../../src/use-cases/disconnect-host.js';
import { HOST_ANSWERS_WITHIN } from '../../src/use-cases/in-connection.js';
import { readHostConnection } from '../../src/use-cases/read-host-connection.js';
import { REVOKE_AGAIN_AFTER, revokeDue } from '../../src/use-cases/revoke-due.js';
import { refused } from '../refusal.js';
import { unreachable } from './forge.js';
import { auditing, connecting, type HostScene, hostScene, linkedScene } from './host-scene.js';

const disconnect = (here: HostScene) => disconnectHost(here)({ by: here.owner });
const claimed = ({ stores, time }: HostScene, now = time.now) =>
  stores.hostConnections.claimWork('forge', now, 60_000, `lease at ${now}`);
const dead = async (retryAt?: number) => {
  const here = await hostScene();
  await connecting(here);
  here.forge.meanwhile = async () => {
    throw unreachable(retryAt);
  };
  await disconnect(here);
  return here;
};

describe('Disconnecting from the repository host', () => {
  it('ends the grant there and forgets it here', async () => {
    const here = await hostScene();
    await connecting(here);
    await disconnect(here);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('happens at once, before the host has answered', async () => {
    const here = await hostScene();
    await connecting(here);
    const seen: unknown[] = [];
    here.forge.meanwhile = async () => {
      seen.push((await here.stored())?.state, await readHostConnection(here)({ principal: here.owner.principal }));
    };
    await disconnect(here);
    expect(seen).to.deep.equal(['revoking', { configured: true, connected: false, account: null }]);
  });
  it('says that issues stand still once no import can call them current any more', async () => {
    const here = await linkedScene();
    const { repositoryLinks } = here.stores;
    const states: unknown[] = [];
    const setStale: typeof repositoryLinks.setStale = async (...given) => {
      states.push((await here.stored())?.state);
      await repositoryLinks.setStale(...given);
    };
    await disconnect({ ...here, stores: { ...here.stores, repositoryLinks: { ...repositoryLinks, setStale } } });
    expect(states).to.deep.equal(['ok', 'revoking']);
  });
  it('twice, or without a connection, is nothing, and is noted once', async () => {
    const { watched: here, noted } = auditing(await hostScene());
    await disconnect(here);
    await connecting(here);
    await Promise.all([disconnect(here), disconnect(here)]);
    await disconnect(here);
    expect(await here.stored()).to.equal(undefined);
    expect(noted).to.deep.equal([['host.disconnect', { host: 'forge', account: 'ada-at-forge' }]]);
  });
  it('leaves a dead host to be asked again later, with a pause, until it has ended the grant', async () => {
    const here = await dead();
    expect((await here.stored())?.state).to.equal('revoking');
    const claim = await claimed(here);
    if (claim === undefined) throw new Error('nothing to do');
    expect(await revokeDue(here)(claim)).to.equal(false);
    expect(await here.stored()).to.include({ state: 'revoking', pausedUntil: here.time.now + REVOKE_AGAIN_AFTER });
    here.forge.meanwhile = async () => undefined;
    here.time.now += REVOKE_AGAIN_AFTER;
    const next = await claimed(here);
    expect(next && (await revokeDue(here)(next))).to.equal(true);
    expect(await here.stored()).to.equal(undefined);
    expect([...here.forge.good]).to.deep.equal([]);
  });
  it('asks again when the host itself said', async () => {
    const retryAt = Date.UTC(2026, 0, 5, 12, 7);
    const here = await dead(retryAt);
    const claim = await claimed(here);
    if (claim) await revokeDue(here)(claim);
    expect((await here.stored())?.pausedUntil).to.equal(retryAt);
  });
  it('counts a grant the host does not know any more as ended', async () => {
    const here = await dead();
    here.forge.good.clear();
    here.forge.meanwhile = async () => undefined;
    const claim = await claimed(here);
    expect(claim && (await revokeDue(here)(claim))).to.equal(true);
    expect(await here.stored()).to.equal(undefined);
  });
  it('does not undo an approval that was given again meanwhile', async () => {
    const here = await dead();
    const claim = await claimed(here);
    const again = await connecting(here);
    expect(claim && (await revokeDue(here)(claim))).to.equal(false);
    expect(await here.stored()).to.deep.equal(again);
  });
  it('is over within the time the host is given', async () => {
    const here = await hostScene();
    await connecting(here);
    const deadlines: number[] = [];
    const revoke = async ({ deadline }: { readonly deadline: number }) => void deadlines.push(deadline - here.time.now);
    const repositoryHost = { ...here.forge.host, authorization: { ...here.forge.host.authorization, revoke } };
    await disconnect({ ...here, repositoryHost });
    expect(deadlines).to.deep.equal([HOST_ANSWERS_WITHIN]);
  });
  it('needs a server that is set up for a host', async () => {
    const here = await hostScene();
    await refused(disconnect({ ...here, repositoryHost: null }), 'host-not-configured');
  });
});

describe('Ending grants in the background', () => {
  it('leaves connections in use alone', async () => {
    const here = await linkedScene();
    const claim = await claimed(here);
    expect(claim?.connection).to.deep.equal(here.connection);
    expect(claim && (await revokeDue(here)(claim))).to.equal(false);
    expect(here.forge.calls).to.not.include('revoke');
  });
});
