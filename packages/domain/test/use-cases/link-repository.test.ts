import { expect } from 'chai';
import { readLink } from '../../src/use-cases/read-link.js';
import { unlinkRepository } from '../../src/use-cases/unlink-repository.js';
import { pointers, refused } from '../refusal.js';
import { SHOP, unreachable } from './forge.js';
import { connecting, hostScene, linkedScene, linking, SETTINGS } from './host-scene.js';
import { planned } from './scene.js';
import { actions } from './world.js';

describe('Linking a repository', () => {
  it('has its import begin from nothing, at once, with the connection of the owner who linked it', async () => {
    const here = await linkedScene();
    const { now } = here.time;
    const { private: _, archived: __, ...repository } = SHOP;
    const { id } = here.linked.link;
    expect(here.linked.link).to.deep.equal({
      ...{ id, projectId: here.project.id, host: 'forge', userId: here.owner.principal.userId },
      ...{ repository, settings: SETTINGS, linkedAt: now, linkedBy: 'Ada' },
    });
    expect(here.linked.state).to.deep.include({ linkId: id, dueAt: now, startedAt: null, completedAt: null });
    expect(here.linked.state.checkpoint).to.deep.equal({ stage: null, page: null, reading: null, marks: {} });
    expect(await readLink(here)({ principal: here.viewer.principal, ...here.there })).to.deep.equal(here.linked);
    expect(await actions(here, here.teamId)).to.include('repository.link');
    const claim = await here.stores.hostConnections.claimWork('forge', now, 1_000, 'lease');
    expect(claim?.connection.userId).to.equal(here.owner.principal.userId);
  });
  it('again begins anew', async () => {
    const here = await linkedScene();
    const next = await linking(here, { milestones: [3] });
    expect(next.link.id).to.not.equal(here.linked.link.id);
    expect(await readLink(here)({ principal: here.viewer.principal, ...here.there })).to.deep.equal(next);
  });
  it('is for owners, who need a connection that works', async () => {
    const here = await hostScene();
    await refused(linking(here), 'host-not-connected');
    const connection = await connecting(here);
    await refused(linking(here, {}, here.member), 'forbidden');
    await refused(linking(here, {}, here.stranger), 'not-found');
    await refused(linking({ ...here, there: { ...here.there, projectId: 'nothing' } }), 'not-found');
    await refused(linking({ ...here, repositoryHost: null }), 'host-not-configured');
    await here.stores.hostConnections.replace({ ...connection, state: 'rejected', version: 2 });
    await refused(linking(here), 'host-rejected');
    expect(here.forge.calls).to.deep.equal([]);
  });
  it('names every fault of the settings at once, before the host is asked', async () => {
    const here = await hostScene();
    await connecting(here);
    const faulty = { milestones: [0], deployments: true, filter: { labels: [''], pathPrefix: '/pay' } };
    const error = await refused(linking(here, faulty), 'invalid');
    expect(pointers(error.details.faults)).to.have.members([
      ...['/milestones/0', '/deployments', '/issue_filter/labels/0', '/issue_filter/path_prefix'],
    ]);
    expect(here.forge.calls).to.deep.equal([]);
  });
  it('stores nothing when the account cannot read the repository, or the host cannot be asked', async () => {
    const here = await hostScene();
    await connecting(here);
    const error = await refused(linking(here, {}, here.owner, 'acme/secret'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/repository']);
    here.forge.meanwhile = async () => {
      throw unreachable();
    };
    await refused(linking(here), 'host-unavailable');
    expect(await here.stores.repositoryLinks.ofProject(here.project.id)).to.equal(undefined);
  });
});

describe('Unlinking a repository', () => {
  it('is for owners, even on a server that is not set up any more, and is noted', async () => {
    const here = await linkedScene();
    await refused(unlinkRepository(here)({ by: here.member, ...here.there }), 'forbidden');
    const bare = { ...here, repositoryHost: null };
    await unlinkRepository(bare)({ by: here.owner, ...here.there });
    expect(await actions(here, here.teamId)).to.include('repository.unlink');
    const path = { principal: here.viewer.principal, ...here.there };
    const error = await refused(readLink(here)(path), 'not-found');
    expect(error.details.what).to.equal('repository link');
    await refused(unlinkRepository(here)({ by: here.owner, ...here.there }), 'not-found');
  });
});

describe('An unlinked project', () => {
  it('has issues kept by hand, which are never stale', async () => {
    const here = await linkedScene();
    const release = await planned(here, '1.0');
    const facts = async () => (await here.stores.facts.factsFor([release.id]))[0]?.facts;
    await here.stores.repositoryLinks.setStale(here.project.id, here.time.now, here.time.now);
    expect((await facts())?.issuesAsOf).to.equal(here.time.now);
    here.time.now += 60_000;
    await unlinkRepository(here)({ by: here.owner, ...here.there });
    expect((await facts())?.issuesAsOf).to.equal(null);
    expect((await here.stores.facts.revisions([release.id]))[0]).to.include({ changedAt: here.time.now });
  });
});
