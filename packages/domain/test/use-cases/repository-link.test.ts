import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import type { HookNotice } from '../../src/repository/host.js';
import { hostExternalId } from '../../src/repository/link.js';
import { createProject } from '../../src/use-cases/project.js';
import { cancelRelease } from '../../src/use-cases/release.js';
import {
  listRepositories,
  readIncomingHookSetup,
  readLink,
  readMilestones,
  receiveHook,
  requestImport,
  unlinkRepository,
} from '../../src/use-cases/repository-link.js';
import { pointers, refused } from '../refusal.js';
import { ADA, SHOP, unreachable } from './forge.js';
import { connecting, type HostScene, hostScene, linkedScene, linking, SETTINGS } from './host-scene.js';
import { planned } from './scene.js';
import { actions, DAY, needing } from './world.js';

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
    expect(await readLink(here, { principal: here.viewer.principal, ...here.there })).to.deep.equal(here.linked);
    expect(await actions(here, here.teamId)).to.include('repository.link');
    const claim = await here.stores.hostConnections.claimWork('forge', now, 1_000, 'lease');
    expect(claim?.connection.userId).to.equal(here.owner.principal.userId);
  });
  it('again begins anew', async () => {
    const here = await linkedScene();
    const next = await linking(here, { milestones: [3] });
    expect(next.link.id).to.not.equal(here.linked.link.id);
    expect(await readLink(here, { principal: here.viewer.principal, ...here.there })).to.deep.equal(next);
  });
  it('is for owners, who need a connection that works', async () => {
    const here = await hostScene();
    await refused(linking(here), 'host-not-connected');
    const connection = await connecting(here);
    await refused(linking(here, {}, needing('owner', here.member)), 'forbidden');
    await refused(linking(here, {}, here.stranger), 'not-found');
    await refused(linking({ ...here, there: { ...here.there, projectId: 'nothing' } }), 'not-found');
    await refused(linking({ ...here, repositoryHost: null }), 'host-not-configured');
    await here.stores.hostConnections.replace({ ...connection, state: 'rejected', version: 2 });
    await refused(linking(here), 'host-rejected');
    expect(here.forge.calls).to.deep.equal([]);
  });
  it('stores nothing when the person disconnects while the host is asked', async () => {
    const here = await hostScene();
    const connection = await connecting(here);
    here.forge.beforeAnswer = async () => {
      await here.stores.hostConnections.replace({ ...connection, state: 'revoking', version: 2 });
    };
    await refused(linking(here), 'host-not-connected');
    expect(await here.stores.repositoryLinks.ofProject(here.project.id)).to.equal(undefined);
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
    here.forge.beforeAnswer = async () => {
      throw unreachable();
    };
    await refused(linking(here), 'host-unavailable');
    expect(await here.stores.repositoryLinks.ofProject(here.project.id)).to.equal(undefined);
  });
});

describe('Unlinking a repository', () => {
  it('is for owners, even on a server that is not set up any more, and is noted', async () => {
    const here = await linkedScene();
    await refused(unlinkRepository(here, { by: needing('owner', here.member), ...here.there }), 'forbidden');
    const bare = { ...here, repositoryHost: null };
    await unlinkRepository(bare, { by: here.owner, ...here.there });
    expect(await actions(here, here.teamId)).to.include('repository.unlink');
    const path = { principal: here.viewer.principal, ...here.there };
    const error = await refused(readLink(here, path), 'not-found');
    expect(error.details.what).to.equal('repository link');
    await refused(unlinkRepository(here, { by: here.owner, ...here.there }), 'not-found');
  });
});

describe('An unlinked project', () => {
  it('has issues kept by hand, which are never stale', async () => {
    const here = await linkedScene();
    const release = await planned(here, '1.0');
    const facts = async () => (await here.stores.facts.factsFor([release.id]))[0]?.facts;
    await here.stores.repositoryLinks.setIssuesAsOf(here.project.id, here.time.now, here.time.now);
    expect((await facts())?.issuesAsOf).to.equal(here.time.now);
    here.time.now += 60_000;
    await unlinkRepository(here, { by: here.owner, ...here.there });
    expect((await facts())?.issuesAsOf).to.equal(null);
    expect((await here.stores.facts.revisions([release.id]))[0]).to.include({ changedAt: here.time.now });
  });
});

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
    const { link, state } = await requestImport(here, { by: here.member, ...here.there });
    expect(link).to.deep.equal(here.linked.link);
    expect(state).to.deep.equal({ ...here.state, dueAt: here.time.now });
    expect(await actions(here, here.teamId)).to.include('repository.import');
    await refused(requestImport(here, { by: needing('member', here.viewer), ...here.there }), 'forbidden');
  });
  it('says what keeps it from going on', async () => {
    const bare = await hostScene();
    await refused(requestImport(bare, { by: bare.member, ...bare.there }), 'not-found');
    const here = await rested();
    const request = (ports = here) => requestImport(ports, { by: here.member, ...here.there });
    await refused(request({ ...here, repositoryHost: { ...here.forge.host, name: 'smithy' } }), 'host-not-configured');
    await here.stores.hostConnections.replace({ ...here.connection, state: 'rejected', version: 2 });
    await refused(request(), 'host-rejected');
    await here.stores.hostConnections.remove({ ...here.connection, version: 2 });
    await refused(request(), 'host-not-connected');
  });
});

describe('Reading the milestones of a linked repository', () => {
  it('names the release each became, read with the connection of the person who linked it', async () => {
    const here = await linkedScene();
    const row = { number: 1, state: 'open', dueAt: null, url: `${SHOP.url}/milestone/1` } as const;
    here.forge.milestones.push({ ...row, id: 'M_1', title: '1.0' }, { ...row, id: 'M_2', title: '2.0' });
    const release = await planned(here, '1.0');
    await here.stores.releases.replace({ ...release, externalId: 'forge:M_1', version: 2 }, here.time.now);
    const path = { ...here.there, page: null };
    const { rows, next } = await readMilestones(here, { ...needing('member', here.member), ...path });
    expect(rows.map(({ id, releaseId }) => [id, releaseId])).to.deep.equal([
      ['M_1', release.id],
      ['M_2', null],
    ]);
    expect(next).to.equal('more');
    await refused(readMilestones(here, { ...needing('member', here.viewer), ...path }), 'forbidden');
    await here.stores.hostConnections.remove(here.connection);
    await connecting(here, null, here.member);
    await refused(readMilestones(here, { ...needing('member', here.member), ...path }), 'host-not-connected');
  });
});

describe('Reading the webhook of a linked repository', () => {
  it('is for owners', async () => {
    const here = await linkedScene();
    const setup = await readIncomingHookSetup(here, { ...needing('owner', here.owner), ...here.there });
    expect(setup).to.deep.equal({ secret: `secret of R_1 and ${here.project.id}`, events: ['issues'] });
    await refused(readIncomingHookSetup(here, { ...needing('owner', here.member), ...here.there }), 'forbidden');
    const path = { ...needing('owner', here.owner), ...here.there };
    await refused(readIncomingHookSetup({ ...here, repositoryHost: null }, path), 'host-not-configured');
  });
});

const list = (here: HostScene, text: string | null = null, page: string | null = null) =>
  listRepositories(here, { principal: here.owner.principal, search: { text, limit: 30, page } });

describe('Listing repositories', () => {
  it('answers what the account can read, and whose account it is', async () => {
    const here = await hostScene();
    await connecting(here);
    const found = { rows: [SHOP], next: null, account: ADA, empty: null, message: null };
    expect(await list(here)).to.deep.equal(found);
    expect(await list(here, 'shop')).to.deep.equal(found);
  });
  it('says why there is none', async () => {
    const here = await hostScene();
    await connecting(here);
    const unmatched = await list(here, 'pay');
    expect(unmatched).to.include({ empty: 'no_match' });
    here.forge.repositories.length = 0;
    const none = await list(here);
    expect(none).to.include({ empty: 'none_readable' });
    for (const { message } of [unmatched, none]) expect(message).to.contain(ADA.name);
    expect(none.message).to.contain('another account');
    expect(await list(here, null, 'page 2')).to.include({ empty: null, message: null });
  });
  it('needs a connection that works, and marks one the host refuses', async () => {
    const here = await hostScene();
    await refused(list({ ...here, repositoryHost: null }), 'host-not-configured');
    await refused(list(here), 'host-not-connected');
    await connecting(here);
    here.forge.good.clear();
    await refused(list(here), 'host-rejected');
    expect((await here.stored())?.state).to.equal('rejected');
    await refused(list(here), 'host-rejected');
    expect(here.forge.calls).to.deep.equal(['repositories']);
  });
});

/** A linked project with three releases of milestones: pending, pending but canceled, and known. */
const scene = async () => {
  const here = await linkedScene();
  const { stores } = here;
  const made = [];
  for (const name of ['1.0', '1.1', '1.2']) {
    const release = await planned(here, name);
    const followed = { ...release, externalId: hostExternalId('forge', name), version: release.version + 1 };
    expect(await stores.releases.replace(followed, here.time.now)).to.equal(true);
    made.push(followed.id);
  }
  const [pending = '', canceled = '', known = ''] = made;
  const { link, state } = here.linked;
  await stores.repositoryLinks.put({ link, state: { ...state, pendingReleaseIds: [pending, canceled] } });
  await cancelRelease(here, { by: here.member, ...here.there, releaseId: canceled });
  const followed = async () => {
    const releases = await Promise.all([pending, canceled, known].map((id) => stores.releases.byId(id)));
    return releases.map((release) => release?.externalId);
  };
  return { ...here, pending, canceled, known, followed };
};

describe('A release whose issues were not all read', () => {
  it('keeps its milestone when its project is unlinked, and is not taken for known by another link', async () => {
    const here = await scene();
    here.time.now += 1_000;
    await unlinkRepository(here, { by: here.owner, ...here.there });
    expect(await here.followed()).to.deep.equal(['forge:1.0', 'forge:1.1', 'forge:1.2']);
    const [inputs] = await here.stores.facts.factsFor([here.pending]);
    expect(inputs?.facts.issuesPending).to.equal(false);
    expect(inputs?.revision.changedAt).to.equal(here.time.now);
    // With which settings the issues of the third one were read is not known any more.
    expect((await linking(here)).state.pendingReleaseIds).to.have.members([here.pending, here.known]);
  });
  it('nor does any other when another repository takes the place of its own', async () => {
    const here = await scene();
    const other = { ...here.linked.link.repository, id: 'R_2', path: 'acme/bar', private: true, archived: false };
    here.forge.repositories.push(other);
    const { state } = await linking(here, {}, here.owner, other.path);
    expect(state.pendingReleaseIds).to.deep.equal([]);
    expect(await here.followed()).to.deep.equal([null, null, null]);
  });
  it('stays pending when the same repository is linked anew, whose issues are all read again', async () => {
    const here = await scene();
    const { state } = await linking(here, { deployments: false });
    expect(state.pendingReleaseIds).to.deep.equal([here.pending, here.canceled]);
    expect(await here.followed()).to.deep.equal(['forge:1.0', 'forge:1.1', 'forge:1.2']);
  });
  it('and so is every other open one that follows a milestone, with other settings for issues', async () => {
    const here = await scene();
    const { state } = await linking(here, { milestones: [3] });
    expect(state.pendingReleaseIds).to.have.members([here.pending, here.known]);
    const [inputs] = await here.stores.facts.factsFor([here.known]);
    expect(inputs?.facts.issuesPending).to.equal(true);
  });
});

const resting = async (notice: Partial<HookNotice> = {}) => {
  const here = await linkedScene();
  const { link, state } = here.linked;
  const idle = { ...state, dueAt: here.time.now + DAY };
  await here.stores.repositoryLinks.put({ link, state: idle });
  here.forge.notice = { ...here.forge.notice, ...notice };
  const now = async () => (await here.stores.repositoryLinks.byId(link.id))?.state;
  const delivery = { headers: {}, body: new Uint8Array(), projectId: link.projectId };
  return { ...here, idle, now, delivery };
};

describe('Receiving a delivery of the repository host', () => {
  it('makes the link due that it is for, and no other of the repository, and uses up no id of theirs', async () => {
    const here = await resting();
    const project = await createProject(here, { by: here.owner, teamId: here.teamId, name: 'Twin' });
    const link = { ...here.linked.link, id: here.newId(), projectId: project.id };
    await here.stores.repositoryLinks.put({ link, state: { ...here.idle, linkId: link.id } });
    const forTwin = { ...here.delivery, projectId: project.id };
    expect(await receiveHook(here, forTwin)).to.deep.equal({ accepted: true, repeated: false });
    expect(await here.now()).to.deep.equal(here.idle);
    expect((await here.stores.repositoryLinks.byId(link.id))?.state.dueAt).to.equal(here.time.now);
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: true, repeated: false });
    for (const projectId of [here.newId(), null])
      expect(await receiveHook(here, { ...here.delivery, projectId })).to.include({ accepted: false });
  });
  it('waits ten seconds after the last run, or the last attempt, for the host is asked at each', async () => {
    const fault = { code: 'host-unavailable', message: 'Away.', attempts: 1 } as const;
    for (const { completedAgo, failedAgo, due } of [
      { completedAgo: 3_000, failedAgo: null, due: 7_000 },
      { completedAgo: 60_000, failedAgo: 4_000, due: 6_000 },
      { completedAgo: 10_000, failedAgo: null, due: 0 },
    ]) {
      const here = await resting();
      const failure = failedAgo === null ? null : { ...fault, at: here.time.now - failedAgo };
      const state = { ...here.idle, completedAt: here.time.now - completedAgo, failure };
      await here.stores.repositoryLinks.put({ link: here.linked.link, state });
      expect(await receiveHook(here, here.delivery)).to.include({ accepted: true });
      expect((await here.now())?.dueAt).to.equal(here.time.now + due);
    }
  });
  it('makes the link of its repository due, and names suspects', async () => {
    const here = await resting({ suspectIssueIds: ['I_1'] });
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: true, repeated: false });
    expect(await here.now()).to.deep.equal({ ...here.idle, dueAt: here.time.now, suspectIssueIds: ['I_1'] });
  });
  it('adds no suspect where a thousand wait already, and makes the link due all the same', async () => {
    const here = await resting({ suspectIssueIds: ['I_1', 'I_2'] });
    const waiting = Array.from({ length: 999 }, (_, nth) => `W_${nth}`);
    const state = { ...here.idle, suspectIssueIds: waiting };
    await here.stores.repositoryLinks.put({ link: here.linked.link, state });
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: true, repeated: false });
    expect((await here.now())?.suspectIssueIds).to.deep.equal([...waiting, 'I_1']);
    await here.stores.repositoryLinks.put({
      link: here.linked.link,
      state: { ...here.idle, suspectIssueIds: [...waiting, 'I_1'] },
    });
    here.forge.notice = { ...here.forge.notice, deliveryId: 'd2' };
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: true, repeated: false });
    expect(await here.now()).to.deep.include({ dueAt: here.time.now, suspectIssueIds: [...waiting, 'I_1'] });
  });
  it('repeated changes nothing, and ten at once are one', async () => {
    const here = await resting();
    const all = await Promise.all(Array.from({ length: 10 }, () => receiveHook(here, here.delivery)));
    expect(all.filter(({ repeated }) => !repeated)).to.deep.equal([{ accepted: true, repeated: false }]);
    await here.stores.repositoryLinks.put({ link: here.linked.link, state: here.idle });
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: false, repeated: true });
    expect(await here.now()).to.deep.equal(here.idle);
  });
  it('that says nothing of interest makes no link due', async () => {
    for (const notice of [{ parts: [] }, { repositoryId: null }, { repositoryId: 'R_other' }]) {
      const here = await resting(notice);
      expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: false, repeated: false });
      expect(await here.now()).to.deep.equal(here.idle);
    }
  });
  it('is received again when storing it failed', async () => {
    const here = await resting();
    const { stores } = here;
    const transaction: typeof stores.transaction = (work) =>
      stores.transaction((inside) => {
        const hurryLink = async () => {
          throw new DomainError('unavailable', 'The database went away.');
        };
        return work({ ...inside, repositoryLinks: { ...inside.repositoryLinks, hurryLink } });
      });
    await refused(receiveHook({ ...here, stores: { ...stores, transaction } }, here.delivery), 'unavailable');
    expect(await receiveHook(here, here.delivery)).to.deep.equal({ accepted: true, repeated: false });
  });
  it('is refused with a wrong signature, or on a server that is not set up', async () => {
    const here = await resting();
    const read = () => {
      throw new DomainError('wrong-signature', 'Not signed.');
    };
    const repositoryHost = { ...here.forge.host, hooks: { ...here.forge.host.hooks, read } };
    await refused(receiveHook({ ...here, repositoryHost }, here.delivery), 'wrong-signature');
    await refused(receiveHook({ ...here, repositoryHost: null }, here.delivery), 'host-not-configured');
    expect(await here.now()).to.deep.equal(here.idle);
  });
});
