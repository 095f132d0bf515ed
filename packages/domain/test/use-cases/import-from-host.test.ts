import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { importFromHost } from '../../src/use-cases/import-from-host.js';
import { refused } from '../refusal.js';
import { hostIssueOf } from '../repository/host-issue-of.js';
import { deploymentOf, milestoneOf, statesOf } from '../repository/host-records-of.js';
import { unavailable } from './host-model.js';
import { connectingTo, type ImportScene, importScene, LEASE, linkingTo } from './import-scene.js';
import { planned } from './scene.js';
import { HOUR, MINUTE } from './world.js';

const filled = async (): Promise<ImportScene> => {
  const here = await importScene({ testRuns: 'none' });
  here.model.milestones = [milestoneOf()];
  here.model.issues = [1, 2, 3, 4, 5].map((n) =>
    hostIssueOf({ id: `I${n}`, number: n, milestoneId: 'M1', updatedAt: 2_000 + n }),
  );
  here.model.deployments = [deploymentOf({ states: statesOf(['success', 1_500]) })];
  return here;
};
/** Another project linked to the repository by the same person. */
const linkedToo = async (here: ImportScene): Promise<string> => {
  const { id } = await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Search' });
  return linkingTo(here, here.model, id, here.owner.principal.userId, { testRuns: 'none' });
};
const staleSince = async ({ stores, project, ...here }: ImportScene) => {
  const release = (await stores.releases.ofProject(project.id, null, { limit: 1, after: null })).rows[0];
  const [dossier] = await stores.facts.factsFor([release?.id ?? here.newId()]);
  return dossier?.facts.issuesAsOf ?? null;
};

describe('Importing from the host', () => {
  it('has nothing to do without a host, a connection or anything due', async () => {
    const here = await filled();
    await here.settle();
    expect(await here.turn()).to.equal(false);
    expect(await importFromHost({ ...here, repositoryHost: null })({ leaseMs: 1, pageMs: 1 })).to.equal(false);
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
    here.model.meanwhile = () => new Promise((resolve) => setImmediate(resolve));
    expect((await Promise.all([here.turn(), here.turn()])).sort()).to.deep.equal([false, true]);
    expect(here.model.requests).to.deep.equal(['milestones', 'issues', 'deployments']);
    expect(here.written()).to.equal(5);
  });
  it('stores nothing that was read under a claim somebody else has by now', async () => {
    const here = await filled();
    let late = false;
    here.model.meanwhile = async () => {
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
    here.model.meanwhile = async () => {
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
  it('keeps a failure of the host, waits ever longer, and says since when the issues stand still', async () => {
    const here = await filled();
    await here.settle();
    const completedAt = here.time.now;
    here.time.now += 5 * MINUTE;
    for (const [attempts, wait] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      here.model.failure = unavailable();
      expect(await here.turn()).to.equal(true);
      const { state } = await here.linked();
      expect(state.failure).to.deep.equal({
        code: 'host-unavailable',
        message: 'The host did not answer in time.',
        at: here.time.now,
        attempts,
      });
      expect(state.dueAt).to.equal(here.time.now + wait * MINUTE);
      expect(await staleSince(here)).to.equal(completedAt);
      expect(await here.turn()).to.equal(false);
      here.time.now = state.dueAt;
    }
    await here.settle();
    expect((await here.linked()).state).to.deep.include({ failure: null, completedAt: here.time.now });
    expect(await staleSince(here)).to.equal(null);
  });
  it('has nothing that stands still before the first run went through', async () => {
    const here = await filled();
    await planned(here, '0.9');
    here.model.failure = unavailable();
    await here.turn();
    expect((await here.linked()).state.failure).to.include({ attempts: 1 });
    expect(await staleSince(here)).to.equal(null);
  });
  it('leaves the connection alone as long as a limiting host asks for, for all its links', async () => {
    const here = await filled();
    const { stores, owner, model } = here;
    const { userId } = owner.principal;
    const otherLink = await linkedToo(here);
    await here.settle();
    const until = here.time.now + 20 * MINUTE;
    here.time.now += 5 * MINUTE;
    model.failure = unavailable(until);
    await here.turn();
    expect((await stores.hostConnections.of(userId, 'github'))?.pausedUntil).to.equal(until);
    for (const id of [here.linkId, otherLink])
      expect((await stores.repositoryLinks.byId(id))?.state.failure).to.include({ attempts: 1 });
    here.time.now = until - 1;
    expect(await here.turn()).to.equal(false);
    here.time.now = until + 1;
    expect(await here.turn()).to.equal(true);
    await here.settle();
    for (const id of [here.linkId, otherLink])
      expect((await stores.repositoryLinks.byId(id))?.state.failure).to.equal(null);
  });
  it('tells of a refused connection at every link of it, and reads no more until it is approved again', async () => {
    const here = await filled();
    const { stores, model, owner } = here;
    const otherLink = await linkedToo(here);
    await here.settle();
    const completedAt = here.time.now;
    here.time.now += 4 * MINUTE;
    await stores.repositoryLinks.hurryLink(here.linkId, here.time.now);
    model.failure = new DomainError('host-rejected', 'GitHub refused the connection.');
    await here.turn();
    expect((await stores.hostConnections.of(owner.principal.userId, 'github'))?.state).to.equal('rejected');
    for (const id of [here.linkId, otherLink])
      expect((await stores.repositoryLinks.byId(id))?.state.failure).to.include({ code: 'host-rejected', attempts: 1 });
    expect(await staleSince(here)).to.equal(completedAt);
    here.time.now += HOUR;
    expect(await here.turn()).to.equal(false);
    await connectingTo(here, owner.principal.userId);
    await here.settle();
    for (const id of [here.linkId, otherLink])
      expect((await stores.repositoryLinks.byId(id))?.state).to.deep.include({
        failure: null,
        completedAt: here.time.now,
      });
  });
  it('waits when little of the budget is left, in the middle of a run', async () => {
    const here = await filled();
    const resetAt = here.time.now + 30 * MINUTE;
    here.model.budget = { limit: 5_000, remaining: 499, resetAt };
    await here.settle();
    expect(here.model.requests).to.deep.equal(['milestones']);
    expect((await here.linked()).state).to.deep.include({ failure: null, completedAt: null });
    here.model.budget = { limit: 5_000, remaining: 5_000, resetAt: resetAt + HOUR };
    here.time.now = resetAt;
    await here.settle();
    expect(here.model.requests).to.deep.equal(['milestones', 'issues', 'deployments']);
  });
  it('throws a bug on, keeps nothing of it, and gives the connection back', async () => {
    const here = await filled();
    const before = await here.linked();
    here.atCommit.now = () => {
      throw new RangeError('a bug');
    };
    const thrown = await here.turn().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(RangeError);
    expect(await here.linked()).to.deep.equal(before);
    here.atCommit.now = () => undefined;
    expect(await here.turn()).to.equal(true);
    expect((await here.linked()).state.completedAt).to.equal(here.time.now);
  });
  it('takes a refusal of our own stores for no fault of the host', async () => {
    const here = await filled();
    here.atCommit.now = () => {
      throw new DomainError('unavailable', 'The database is away.');
    };
    await refused(here.turn(), 'unavailable');
    expect((await here.linked()).state.failure).to.equal(null);
  });
  it('begins another run at once when it was asked for during one', async () => {
    const here = await filled();
    here.model.meanwhile = async () => {
      if (here.model.requests.length === 2) await here.stores.repositoryLinks.hurryLink(here.linkId, here.time.now);
    };
    await here.turn();
    expect((await here.linked()).state.completedAt).to.equal(here.time.now);
    expect(await here.turn()).to.equal(true);
    expect(await here.turn()).to.equal(false);
  });
  it('stops when the repository was unlinked meanwhile, and stores nothing of it any more', async () => {
    const here = await filled();
    here.model.meanwhile = async () => {
      if (here.model.requests.length === 1) await here.stores.repositoryLinks.remove(here.linkId);
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
