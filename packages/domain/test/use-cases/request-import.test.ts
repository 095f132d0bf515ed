import { expect } from 'chai';
import { readMilestones } from '../../src/use-cases/read-milestones.js';
import { readWebhook } from '../../src/use-cases/read-webhook.js';
import { requestImport } from '../../src/use-cases/request-import.js';
import { refused } from '../refusal.js';
import { SHOP } from './forge.js';
import { connecting, hostScene, linkedScene } from './host-scene.js';
import { planned } from './scene.js';
import { actions, DAY } from './world.js';

/** The link's import went through and is due tomorrow. */
const rested = async () => {
  const here = await linkedScene();
  const { link, state } = here.linked;
  const failure = { code: 'host-unavailable', message: 'It was down.', at: here.time.now, attempts: 2 } as const;
  const next = { ...state, dueAt: here.time.now + DAY, completedAt: here.time.now, failure };
  await here.stores.repositoryLinks.put({ link, state: next });
  return { ...here, state: next };
};

describe('Requesting an import', () => {
  it('makes it due now and changes nothing else; for members', async () => {
    const here = await rested();
    here.time.now += 5;
    const { link, state } = await requestImport(here)({ by: here.member, ...here.there });
    expect(link).to.deep.equal(here.linked.link);
    expect(state).to.deep.equal({ ...here.state, dueAt: here.time.now });
    expect(await actions(here, here.teamId)).to.include('repository.import');
    await refused(requestImport(here)({ by: here.viewer, ...here.there }), 'forbidden');
  });
  it('says what keeps it from going on', async () => {
    const bare = await hostScene();
    await refused(requestImport(bare)({ by: bare.member, ...bare.there }), 'not-found');
    const here = await rested();
    const request = (ports = here) => requestImport(ports)({ by: here.member, ...here.there });
    await refused(request({ ...here, repositoryHost: { ...here.forge.host, name: 'smithy' } }), 'host-not-configured');
    await here.stores.hostConnections.replace({ ...here.connection, state: 'rejected', version: 2 });
    await refused(request(), 'host-rejected');
    await here.stores.hostConnections.remove({ ...here.connection, version: 2 });
    await refused(request(), 'host-not-connected');
  });
});

describe('Reading the milestones of a linked repository', () => {
  it('tells the release each became, with the connection of whoever linked it', async () => {
    const here = await linkedScene();
    const row = { number: 1, state: 'open', dueAt: null, url: `${SHOP.url}/milestone/1` } as const;
    here.forge.milestones.push({ ...row, id: 'M_1', title: '1.0' }, { ...row, id: 'M_2', title: '2.0' });
    const release = await planned(here, '1.0');
    await here.stores.releases.replace({ ...release, externalId: 'forge:M_1', version: 2 }, here.time.now);
    const path = { ...here.there, page: null };
    const { rows, next } = await readMilestones(here)({ principal: here.member.principal, ...path });
    expect(rows.map(({ id, releaseId }) => [id, releaseId])).to.deep.equal([
      ['M_1', release.id],
      ['M_2', null],
    ]);
    expect(next).to.equal('more');
    await refused(readMilestones(here)({ principal: here.viewer.principal, ...path }), 'forbidden');
    await here.stores.hostConnections.remove(here.connection);
    await connecting(here, null, here.member);
    await refused(readMilestones(here)({ principal: here.member.principal, ...path }), 'host-not-connected');
  });
});

describe('Reading the webhook of a linked repository', () => {
  it('is for owners', async () => {
    const here = await linkedScene();
    const setup = await readWebhook(here)({ principal: here.owner.principal, ...here.there });
    expect(setup).to.deep.equal({ secret: 'secret of R_1', events: ['issues'] });
    await refused(readWebhook(here)({ principal: here.member.principal, ...here.there }), 'forbidden');
    const path = { principal: here.owner.principal, ...here.there };
    await refused(readWebhook({ ...here, repositoryHost: null })(path), 'host-not-configured');
  });
});
