import { expect } from 'chai';
import { checkHostConnection } from '../../src/use-cases/check-host-connection.js';
import { HOST_ANSWERS_WITHIN } from '../../src/use-cases/in-connection.js';
import { refused } from '../refusal.js';
import { unreachable } from './forge.js';
import { connecting, type HostScene, hostScene } from './host-scene.js';
import { HOUR } from './world.js';

const check = async (here: HostScene) => (await checkHostConnection(here)({ principal: here.owner.principal })).status;

describe('Checking the connection to the repository host', () => {
  it('answers ok, and changes nothing by it', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    expect(await check(here)).to.equal('ok');
    expect(await here.stored()).to.deep.equal(connection);
  });
  it('answers rejected, and remembers it, when the host refuses', async () => {
    const here = await hostScene();
    const { grant } = await connecting(here);
    here.forge.good.clear();
    expect(await check(here)).to.equal('rejected');
    expect(await check(here)).to.equal('rejected');
    expect((await here.stored())?.state).to.equal('rejected');
    here.forge.good.add(grant.sealed);
    expect(await check(here)).to.equal('ok');
    expect((await here.stored())?.state).to.equal('ok');
  });
  it('clears a refusal with a renewed grant too', async () => {
    const here = await hostScene();
    const { grant } = await connecting(here, here.time.now);
    here.forge.good.clear();
    expect(await check(here)).to.equal('rejected');
    here.forge.good.add(grant.sealed);
    expect(await check(here)).to.equal('ok');
    expect(await here.stored()).to.include({ state: 'ok' });
  });
  it('says nothing about the connection when the host is slow or failing', async () => {
    const here = await hostScene();
    const connection = await connecting(here, here.time.now + HOUR);
    const deadlines: number[] = [];
    const account = async ({ deadline }: { readonly deadline: number }) => {
      deadlines.push(deadline - here.time.now);
      throw unreachable();
    };
    const repositoryHost = { ...here.forge.host, repositories: { ...here.forge.host.repositories, account } };
    await refused(check({ ...here, repositoryHost }), 'host-unavailable');
    expect(deadlines).to.deep.equal([HOST_ANSWERS_WITHIN]);
    expect(await here.stored()).to.deep.equal(connection);
  });
  it('needs a connection, and a server that is set up for a host', async () => {
    const here = await hostScene();
    await refused(check(here), 'host-not-connected');
    const connection = await connecting(here);
    await here.stores.hostConnections.replace({ ...connection, state: 'revoking', version: 2 });
    await refused(check(here), 'host-not-connected');
    await refused(check({ ...here, repositoryHost: null }), 'host-not-configured');
  });
});
