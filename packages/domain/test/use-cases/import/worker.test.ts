import { expect } from 'chai';
import { notFound } from '../../../src/errors.js';
import { importFromHost } from '../../../src/use-cases/import/worker.js';
import { createProject } from '../../../src/use-cases/project.js';
import { hostIssueOf } from '../../repository/host-issue-of.js';
import { deploymentOf, statesOf } from '../../repository/host-records-of.js';
import { filled } from '../filled-host.js';
import { connectingTo, importScene, LEASE, linkingTo } from '../import-scene.js';
import { MINUTE } from '../world.js';

describe('Importing from the host', () => {
  it('has nothing to do without a host, a connection or anything due', async () => {
    const here = await filled();
    await here.settle();
    expect(await here.turn()).to.equal(false);
    expect(await importFromHost({ ...here, repositoryHost: null }, { leaseMs: 1, pageMs: 1 })).to.equal(false);
  });
  it('reads everything in one turn, counts it, and is due again in five minutes', async () => {
    const here = await filled();
    expect(await here.turn()).to.equal(true);
    const { state } = await here.linked();
    expect(state).to.deep.include({
      startedAt: null,
      completedAt: here.time.now,
      dueAt: here.time.now + 5 * MINUTE,
      goneCheckedAt: here.time.now,
      counts: { milestones: 1, issues: 5, deployments: 1, testRuns: 0 },
      failure: null,
    });
    expect(here.model.requests).to.deep.equal(['milestones', 'issues', 'deployments']);
  });
  it('asks only whether anything changed when nothing did, and writes nothing', async () => {
    const here = await filled();
    await here.settle();
    const written = here.written();
    here.model.requests.length = 0;
    here.time.now += 5 * MINUTE;
    await here.settle();
    expect(here.model.requests).to.deep.equal(['milestones=', 'issues=', 'deployments=']);
    expect(here.written()).to.equal(written);
    expect((await here.linked()).state).to.deep.include({ completedAt: here.time.now });
  });
  it('costs one request per page of rows and a constant few', async () => {
    const here = await importScene({ testRuns: 'none' });
    here.model.issues = Array.from({ length: 1_000 }, (_, n) => hostIssueOf({ id: `I${n}`, number: n, updatedAt: n }));
    here.model.deployments = Array.from({ length: 200 }, (_, n) =>
      deploymentOf({ id: `D${n}`, createdAt: n, states: statesOf(['success', n + 1]) }),
    );
    await here.settle();
    expect(here.model.requests).to.have.length(1 + 10 + 2);
    expect((await here.linked()).state.counts).to.include({ issues: 1_000, deployments: 200 });
  });
  it('by two workers at once reads each page once', async () => {
    const here = await filled();
    here.model.beforeAnswer = () => new Promise((resolve) => setImmediate(resolve));
    expect((await Promise.all([here.turn(), here.turn()])).sort()).to.deep.equal([false, true]);
    expect(here.model.requests).to.deep.equal(['milestones', 'issues', 'deployments']);
    expect(here.written()).to.equal(5);
  });
  it('stores nothing that was read under a claim another worker took', async () => {
    const here = await filled();
    let late = false;
    here.model.beforeAnswer = async () => {
      if (late || here.model.requests.length !== 1) return;
      late = true;
      here.time.now += LEASE + 1;
      expect(await here.turn()).to.equal(true);
    };
    expect(await here.turn()).to.equal(true);
    expect(here.written()).to.equal(5);
    expect((await here.linked()).state.counts).to.deep.equal({ milestones: 1, issues: 5, deployments: 1, testRuns: 0 });
  });
  it('stops when there is no time for another page, shows how far it is, and goes on from there', async () => {
    const here = await filled();
    here.model.pageSize = 2;
    here.model.beforeAnswer = async () => {
      here.time.now += LEASE;
    };
    expect(await here.turn()).to.equal(true);
    const first = (await here.linked()).state;
    expect(first.checkpoint.stage).to.equal('issues');
    await here.turn();
    const second = (await here.linked()).state;
    expect(second.counts.issues).to.equal(2);
    expect(second).to.include({ completedAt: null, startedAt: first.startedAt });
    await here.settle();
    expect((await here.linked()).state.counts.issues).to.equal(5);
    expect(here.model.requests).to.deep.equal(['milestones', 'issues', 'issues', 'issues', 'deployments']);
  });
  it('of a repository with many pages lets others import in between, although it is asked for again and again', async () => {
    const here = await filled();
    here.model.pageSize = 1;
    const { id: projectId } = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Small' });
    const { userId } = here.member.principal;
    await connectingTo(here, userId);
    here.time.now += 1;
    const small = await linkingTo(here, here.model, projectId, userId, { milestones: 'none' });
    here.model.beforeAnswer = async () => {
      here.time.now += LEASE;
      await here.stores.repositoryLinks.hurryLink(here.linkId, here.time.now);
    };
    for (let turns = 0; turns < 4; turns += 1) await here.turn();
    expect((await here.stores.repositoryLinks.byId(small))?.state.counts.issues).to.equal(2);
    expect((await here.linked()).state.counts).to.include({ milestones: 1, issues: 1 });
  });
  it('begins another run ten seconds after one during which it was asked for', async () => {
    const here = await filled();
    here.model.beforeAnswer = async () => {
      if (here.model.requests.length === 2) await here.stores.repositoryLinks.hurryLink(here.linkId, here.time.now);
    };
    await here.turn();
    expect((await here.linked()).state.completedAt).to.equal(here.time.now);
    expect(await here.turn()).to.equal(false);
    here.time.now += 9_999;
    expect(await here.turn()).to.equal(false);
    here.time.now += 1;
    expect(await here.turn()).to.equal(true);
    expect(await here.turn()).to.equal(false);
  });
  it('stops when the repository was unlinked in the meantime, and stores nothing of it any more', async () => {
    const here = await filled();
    here.model.beforeAnswer = async () => {
      if (here.model.requests.length === 1) await here.stores.repositoryLinks.remove(here.linkId, here.time.now);
    };
    expect(await here.turn()).to.equal(true);
    expect(here.written()).to.equal(0);
    expect(await here.turn()).to.equal(false);
  });
  it('ends the grant of a disconnected person instead', async () => {
    const here = await filled();
    const { userId } = here.owner.principal;
    const connection = await here.stores.hostConnections.of(userId, 'github');
    if (connection === undefined) throw new Error('There is no connection.');
    await here.stores.hostConnections.replace({ ...connection, state: 'revoking', version: connection.version + 1 });
    expect(await here.turn()).to.equal(true);
    expect(await here.stores.hostConnections.of(userId, 'github')).to.equal(undefined);
    expect(here.model.requests).to.deep.equal([]);
  });
});

/** Imported once; then renamed, and the old path is another one's. */
const moved = async () => {
  const here = await filled();
  await here.settle();
  here.time.now = (await here.linked()).state.dueAt;
  here.model.taken = here.model.repository.path;
  here.model.repository = {
    ...here.model.repository,
    path: 'acme/store',
    url: 'https://host.example/acme/store',
    defaultBranch: 'trunk',
  };
  here.model.requests.length = 0;
  return here;
};

describe("A repository whose former path is another one's", () => {
  it('is found by its id, read on under its new path, and called so from then on', async () => {
    const here = await moved();
    await here.settle();
    const { link, state } = await here.linked();
    const { id, path, url, defaultBranch } = here.model.repository;
    expect(link.repository).to.deep.equal({ id, path, url, defaultBranch });
    expect(state).to.deep.include({ failure: null, completedAt: here.time.now });
    expect(here.model.requests.slice(0, 3)).to.deep.equal(['milestones', 'repository', 'milestones=']);
  });
  it('fails as not found when it is not to be found by its id either', async () => {
    const here = await moved();
    here.model.repository = { ...here.model.repository, id: 'R2' };
    await here.turn();
    const { link, state } = await here.linked();
    expect(state.failure).to.include({ code: 'not-found', attempts: 1 });
    expect(state.dueAt).to.equal(here.time.now + MINUTE);
    expect(link.repository).to.include({ id: 'R1', path: 'acme/shop' });
  });
  it('fails as not found when it has its path still, once and not for ever in one turn', async () => {
    const here = await filled();
    here.model.failure = notFound('repository');
    await here.turn();
    expect((await here.linked()).state.failure).to.include({ code: 'not-found' });
    expect(here.model.requests).to.deep.equal(['milestones', 'repository']);
  });
  it('is not stored under a claim that another worker took', async () => {
    const here = await moved();
    const before = await here.linked();
    const { userId } = here.owner.principal;
    here.model.beforeAnswer = async () => {
      if (here.model.requests.length === 1)
        await here.stores.hostConnections.claimWork('github', here.time.now + 10 * MINUTE, MINUTE, 'another');
    };
    expect(await here.turn()).to.equal(true);
    expect(await here.linked()).to.deep.equal(before);
    expect((await here.stores.hostConnections.of(userId, 'github'))?.state).to.equal('ok');
  });
});
