import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { importFromHost } from '../../src/use-cases/import/worker.js';
import { createProject } from '../../src/use-cases/project.js';
import { refused } from '../refusal.js';
import { filled } from './filled-host.js';
import { unavailable } from './host-model.js';
import { connectingTo, type ImportScene, LEASE, linkingTo, PAGE } from './import-scene.js';
import { planned } from './scene.js';
import { HOUR, MINUTE } from './world.js';

/** Another project linked to the repository by the same person. */
const linkedToo = async (here: ImportScene, name = 'Search'): Promise<string> => {
  const { id } = await createProject(here, { by: here.member, teamId: here.teamId, name });
  return linkingTo(here, here.model, id, here.owner.principal.userId, { testRuns: 'none' });
};
const staleSince = async ({ stores, project, ...here }: ImportScene) => {
  const release = (await stores.releases.page({ projectId: project.id }, { limit: 1, after: null })).rows[0];
  const [inputs] = await stores.facts.factsFor([release?.id ?? here.newId()]);
  return inputs?.facts.issuesAsOf ?? null;
};

/** Fails the next transaction only. */
const bugOnce =
  ({ atCommit }: ImportScene) =>
  () => {
    atCommit.now = () => undefined;
    throw new RangeError('a bug');
  };

describe('An import that fails', () => {
  it('keeps a failure of the host, waits ever longer, and says since when the issues are stale', async () => {
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
  it('has no stale issues before the first run is complete', async () => {
    const here = await filled();
    await planned(here, '0.9');
    here.model.failure = unavailable();
    await here.turn();
    expect((await here.linked()).state.failure).to.include({ attempts: 1 });
    expect(await staleSince(here)).to.equal(null);
  });
  it('keeps issues stale that were so under the former link, when the first run of a new one fails or waits', async () => {
    for (const how of ['fails', 'waits'] as const) {
      const here = await filled();
      const { model, stores, project } = here;
      await here.settle();
      const completedAt = here.time.now;
      await stores.repositoryLinks.setIssuesAsOf(project.id, completedAt, here.time.now);
      await linkingTo(here, model, project.id, here.owner.principal.userId, { testRuns: 'none' });
      if (how === 'fails') model.failure = unavailable();
      else model.budget = { limit: 5_000, remaining: 0, resetAt: here.time.now + HOUR };
      await here.turn();
      expect(await staleSince(here), how).to.equal(completedAt);
      model.budget = null;
      here.time.now += HOUR;
      await here.settle();
      expect(await staleSince(here), how).to.equal(null);
    }
  });
  it('pauses a renewed grant for a limit, and not one that was approved in the meantime', async () => {
    for (const how of ['renewed', 'approved'] as const) {
      const here = await filled();
      const { stores, model } = here;
      const { userId } = here.owner.principal;
      const until = here.time.now + 20 * MINUTE;
      const connection = await stores.hostConnections.of(userId, 'github');
      if (connection === undefined) throw new Error('There is no connection.');
      model.failure = unavailable(until);
      model.beforeAnswer = async () => {
        here.time.now += 1;
        const grant = { sealed: 'renewed', expiresAt: null };
        if (how === 'approved') await connectingTo(here, userId);
        else await stores.hostConnections.replace({ ...connection, grant, version: connection.version + 1 });
      };
      await here.turn();
      const { pausedUntil } = (await stores.hostConnections.of(userId, 'github')) ?? {};
      expect(pausedUntil, how).to.equal(how === 'renewed' ? until : null);
    }
  });
  it('reports a refused connection at every link of it, also when one of them is requested during that', async () => {
    const here = await filled();
    const { stores, model, linkId } = here;
    const otherLink = await linkedToo(here);
    const removed = await linkedToo(here, 'Removed');
    await here.settle();
    here.time.now += 4 * MINUTE;
    await stores.repositoryLinks.hurryLink(linkId, here.time.now);
    const transaction: typeof stores.transaction = async (work, by) => {
      const result = await stores.transaction(work, by);
      await stores.repositoryLinks.hurryLink(linkId, here.time.now);
      await stores.repositoryLinks.remove(removed, here.time.now);
      return result;
    };
    model.failure = new DomainError('host-rejected', 'GitHub refused the connection.');
    await importFromHost({ ...here, stores: { ...stores, transaction } }, { leaseMs: LEASE, pageMs: PAGE });
    for (const id of [linkId, otherLink])
      expect((await stores.repositoryLinks.byId(id))?.state.failure).to.include({ code: 'host-rejected', attempts: 1 });
    expect((await stores.repositoryLinks.byId(linkId))?.state.dueAt).to.be.at.most(here.time.now);
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
  it('reports a refused connection at every link of it, and reads no more until it is approved again', async () => {
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
  it('says since when issues are stale when the budget makes them wait for longer than 15 minutes', async () => {
    for (const minutes of [15, 16]) {
      const here = await filled();
      const { model } = here;
      await here.settle();
      const completedAt = here.time.now;
      here.time.now = (await here.linked()).state.dueAt;
      model.budget = { limit: 5_000, remaining: 0, resetAt: here.time.now + minutes * MINUTE };
      await here.turn();
      expect(await staleSince(here), `${minutes} minutes`).to.equal(minutes > 15 ? completedAt : null);
      expect((await here.linked()).state).to.deep.include({ failure: null, completedAt });
      here.time.now = model.budget.resetAt;
      model.budget = null;
      await here.settle();
      expect(await staleSince(here)).to.equal(null);
    }
  });
  it('says so of what becomes due during such a pause, too, and not of what does not', async () => {
    const here = await filled();
    const { model, stores } = here;
    await here.settle();
    const completedAt = here.time.now;
    here.time.now += MINUTE;
    const other = await linkedToo(here);
    model.budget = { limit: 5_000, remaining: 0, resetAt: completedAt + 21 * MINUTE };
    await here.turn();
    expect((await stores.repositoryLinks.byId(other))?.state.completedAt).to.equal(null);
    expect(await staleSince(here)).to.equal(completedAt);
  });
  it('marks no issues as current that were read while the connection was removed or refused', async () => {
    for (const state of ['revoking', 'rejected'] as const) {
      const here = await filled();
      const { hostConnections } = here.stores;
      await here.settle();
      here.time.now += 5 * MINUTE;
      here.model.beforeAnswer = async () => {
        const now = await hostConnections.of(here.owner.principal.userId, 'github');
        if (now?.state === 'ok') await hostConnections.replace({ ...now, state, version: now.version + 1 });
      };
      await here.turn();
      expect((await here.linked()).state.completedAt, state).to.equal(here.time.now);
      expect(await staleSince(here), state).to.equal(here.time.now);
    }
  });
  it('throws a bug on, keeps nothing of the page, reports it at the link, and gives the connection back', async () => {
    const here = await filled();
    await here.settle();
    const completedAt = here.time.now;
    here.time.now += 5 * MINUTE;
    here.atCommit.now = bugOnce(here);
    const before = (await here.linked()).state;
    const thrown = await here.turn().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(RangeError);
    const failure = {
      ...{ code: 'internal', message: 'The import met a fault of the service; it was noted.' },
      ...{ at: here.time.now, attempts: 1 },
    };
    const dueAt = here.time.now + MINUTE;
    const { state } = await here.linked();
    expect(state).to.deep.equal({ ...before, failure, dueAt });
    expect(await staleSince(here)).to.equal(completedAt);
    expect(await here.turn()).to.equal(false);
    here.time.now = dueAt;
    await here.settle();
    expect((await here.linked()).state).to.deep.include({ failure: null, completedAt: dueAt });
    expect(await staleSince(here)).to.equal(null);
  });
  it('lets other links of the connection come to their turn, however long a bug stays', async () => {
    const here = await filled();
    here.time.now += 1;
    const other = await linkedToo(here);
    here.atCommit.now = bugOnce(here);
    expect(await here.turn().catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    await here.settle();
    const stateOf = async (id: string) => (await here.stores.repositoryLinks.byId(id))?.state;
    expect(await stateOf(here.linkId)).to.deep.include({ completedAt: null });
    expect(await stateOf(other)).to.deep.include({ completedAt: here.time.now, failure: null });
  });
  it('throws the bug and nothing else when it cannot be noted', async () => {
    const here = await filled();
    const before = await here.linked();
    here.atCommit.now = () => {
      throw new RangeError('a bug');
    };
    expect(await here.turn().catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    expect(await here.linked()).to.deep.equal(before);
  });
  it('does not blame the host for a refusal of our own stores', async () => {
    const here = await filled();
    here.atCommit.now = () => {
      throw new DomainError('unavailable', 'The database is away.');
    };
    await refused(here.turn(), 'unavailable');
    expect((await here.linked()).state.failure).to.equal(null);
  });
});
