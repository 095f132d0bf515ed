import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import type { KnownStanding } from '../../src/release/facts.js';
import { type KnownTrend, readStandings, readTrends, recordHistory } from '../../src/use-cases/history.js';
import { addIssue, editIssue } from '../../src/use-cases/issue.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { renameProject } from '../../src/use-cases/project.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { listening } from './told.js';
import { HOUR } from './world.js';

const settle = (here: ReleaseScene) => recordHistory(here, { limit: 10, leaseMs: 60_000 });
const points = async (here: ReleaseScene) =>
  (await here.stores.history.page(here.release.id, { limit: 100, after: null })).rows;

/** Under it a release may ship as it is. */
const LENIENT: Policy = {
  ...DEFAULT_POLICY,
  threshold: 0,
  minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 },
  requiredAxes: [],
};

describe('Recording the trend', () => {
  it('writes a point for what changed, with its causes and their authors', async () => {
    const here = await releaseScene();
    await settle(here);
    here.time.now += 1_000;
    const { deployment } = await deployed(here);
    const at = here.time.now;
    here.time.now += 1_000;
    expect(await settle(here)).to.equal(1);
    const last = (await points(here)).at(-1);
    expect(last).to.include({ at, score: 50, decision: 'hold' });
    expect(last?.causes).to.deep.equal([
      {
        kind: 'deployment',
        id: deployment.id,
        at,
        by: { kind: 'person', name: 'Ben', userId: here.member.principal.userId },
      },
    ]);
  });
  /** The scene with a second release, in which settling the release that is settled first fails. */
  const failingFirst = async (failure: Error) => {
    const here = await releaseScene();
    await planned(here, '2.0');
    const order: string[] = [];
    const transaction: typeof here.stores.transaction = (work, by) =>
      here.stores.transaction((inside) => {
        const settled: typeof inside.history.settle = async (dirty, ...given) => {
          order.push(dirty.releaseId);
          if (order.length === 1) throw failure;
          return inside.history.settle(dirty, ...given);
        };
        return work({ ...inside, history: { ...inside.history, settle: settled } });
      }, by);
    const error = await settle({ ...here, stores: { ...here.stores, transaction } }).catch((thrown: unknown) => thrown);
    expect(error).to.equal(failure);
    return { here, order };
  };
  it('settles the other releases although one cannot be settled, and says so then', async () => {
    const { here, order } = await failingFirst(new RangeError('a bug'));
    expect(order).to.have.length(2);
    const newest = await here.stores.history.newest(order);
    expect(newest.map((point) => point !== undefined)).to.deep.equal([false, true]);
  });
  it('stops at once where the database cannot be reached', async () => {
    const { order } = await failingFirst(new DomainError('unavailable', 'It cannot be reached.'));
    expect(order).to.have.length(1);
  });
  it('has nothing to do without a change', async () => {
    const here = await releaseScene();
    await settle(here);
    expect(await settle(here)).to.equal(0);
  });
  it('writes a point when only the facts moved, and none when nothing did', async () => {
    const here = await releaseScene();
    const by = here.member;
    const given = { title: 'Pay', type: 'task', state: 'todo', severity: null, url: null } as const;
    const issue = await addIssue(here, { by, ...here.there, issue: { ...given, releaseId: here.release.id } });
    await deployed(here);
    await settle(here);
    here.time.now += 1_000;
    await deployed(here);
    await settle(here);
    const before = await points(here);
    expect(before.map(({ score }) => score)).to.deep.equal([50, 50]);
    here.time.now += 1_000;
    const edit = { title: 'Pay by card' };
    await editIssue(here, { by, ...here.there, issueId: issue.id, edit, version: null });
    expect(await settle(here)).to.equal(1);
    expect(await points(here)).to.deep.equal(before);
    expect(await settle(here)).to.equal(0);
  });
  it('writes a point for a change and another for a time limit that passed before it was noticed', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, freshnessHours: 1 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    here.time.now += 60_000;
    await tested(here);
    const at = here.time.now;
    here.time.now += 5 * HOUR;
    await settle(here);
    const last = (await points(here)).slice(-2);
    expect(last.map((point) => [point.at, point.axes[3]?.score])).to.deep.equal([
      [at, 90],
      [at + HOUR + 1, null],
    ]);
  });
  it('writes a point for another policy and another name', async () => {
    const here = await releaseScene();
    await settle(here);
    here.time.now += 1_000;
    await changePolicy(here, { by: here.owner, ...here.there, policy: DEFAULT_POLICY, version: 1 });
    await settle(here);
    here.time.now += 1_000;
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    await settle(here);
    const kinds = (await points(here)).map(({ causes }) => causes.at(-1)?.kind);
    expect(kinds).to.deep.equal(['release', 'policy', 'project']);
  });
  it('writes at most one point per release and second', async () => {
    const here = await releaseScene();
    here.time.now = Math.ceil(here.time.now / 1_000 + 1) * 1_000;
    await deployed(here);
    await settle(here);
    const before = (await points(here)).length;
    here.time.now += 400;
    await tested(here);
    await settle(here);
    expect(await points(here)).to.have.length(before);
    expect((await points(here)).at(-1)?.axes[3]?.score).to.equal(90);
  });
  it('writes a point when a time limit passes, by itself', async () => {
    const here = await releaseScene();
    await tested(here);
    const policy = { ...DEFAULT_POLICY, freshnessHours: 1 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await settle(here);
    here.time.now += HOUR - 1;
    expect(await settle(here)).to.equal(0);
    here.time.now += 2;
    expect(await settle(here)).to.equal(1);
    const last = (await points(here)).at(-1);
    expect(last?.axes[3]).to.deep.equal({ axis: 'verification', score: null });
    expect(last?.causes.map((cause) => cause.kind)).to.deep.equal(['time_limit']);
    expect(await settle(here)).to.equal(0);
  });
  it('ends the trend of a shipped release in what it was frozen with', async () => {
    const here = await releaseScene();
    here.time.now += 5_000;
    await deployed(here, { status: 'failure' });
    here.time.now += 5_000;
    const { frozen } = await shipRelease(here, { by: here.member, ...here.at, note: null });
    await settle(here);
    const before = await points(here);
    expect(before.at(-1)?.score).to.equal(frozen.report.score);
    await deployed(here, { startedAt: here.release.startsAt });
    expect(await settle(here)).to.equal(1);
    expect(await points(here)).to.deep.equal(before);
  });
  it('by two workers at once settles each release once', async () => {
    const here = await releaseScene();
    await deployed(here);
    const settled = await Promise.all([settle(here), settle(here)]);
    expect(settled.sort()).to.deep.equal([0, 1]);
  });
  it('publishes and writes nothing for a claim that another worker took', async () => {
    const here = await releaseScene();
    await deployed(here);
    const told: string[] = [];
    here.feed.subscribe(({ type }) => told.push(type));
    let others: readonly unknown[] = [];
    // This worker stalls while it reads, for longer than its lease.
    const stalling: typeof here.stores = {
      ...here.stores,
      facts: {
        ...here.stores.facts,
        factsFor: async (ids) => {
          const found = await here.stores.facts.factsFor(ids);
          here.time.now += 60_000;
          await settle(here);
          others = await points(here);
          return found;
        },
      },
    };
    await recordHistory({ ...here, stores: stalling }, { limit: 10, leaseMs: 60_000 });
    expect(told).to.deep.equal(['readiness.changed', 'gate.changed']);
    expect(others).to.have.lengthOf(1);
    expect(await points(here)).to.deep.equal(others);
    expect(await settle(here)).to.equal(0);
  });
  it('notes each change of the decision once, with the main reason and the id of its event', async () => {
    const here = await releaseScene();
    const events = listening(here);
    await settle(here);
    const gateChanges = async () =>
      (await here.stores.gateChanges.page([here.there.teamId], { limit: 100, after: null })).rows;
    expect(events.map(({ type }) => type)).to.include('gate.changed');
    expect(await gateChanges(), 'the first decision is no change').to.deep.equal([]);
    const [by, there] = [here.owner, here.there];
    await changePolicy(here, { by, ...there, policy: LENIENT, version: 1 });
    here.time.now += 5_000;
    await settle(here);
    here.time.now += 5_000;
    await changePolicy(here, { by, ...there, policy: DEFAULT_POLICY, version: 2 });
    const at = here.time.now;
    here.time.now += 1_000;
    const noticed = here.time.now;
    await Promise.all([settle(here), settle(here)]);
    await settle(here);
    const [change, ...others] = await gateChanges();
    expect(others.map(({ before, after, reason }) => [before, after, reason])).to.deep.equal([['hold', 'go', null]]);
    expect(change).to.deep.include({ at, notedAt: noticed, before: 'go', after: 'hold' });
    expect(change?.reason).to.deep.include({ code: 'axis_below_minimum', axis: 'ops', actual: 0 });
    expect(change?.id).to.equal(events.findLast(({ type }) => type === 'gate.changed')?.id);
    here.time.now += 5_000;
    await tested(here);
    await settle(here);
    expect(await gateChanges(), 'the decision stays').to.have.lengthOf(2);
  });
});

describe('Reading the trends of releases', () => {
  it('reads points only of releases whose trend has grown', async () => {
    const here = await releaseScene();
    const { stores, calls } = counted(here.stores);
    const kept = new Map<string, KnownTrend>();
    const id = here.release.id;
    const read = async () => (await readTrends({ stores }, kept, 20, [id])).get(id);
    expect(await read()).to.equal(undefined);
    expect(calls.splice(0)).to.deep.equal(['history.newest']);
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    const first = await read();
    expect(first).to.have.length(1);
    expect(calls.splice(0)).to.deep.equal(['history.newest', 'history.trends']);
    expect(await read()).to.equal(first);
    expect(calls.splice(0)).to.deep.equal(['history.newest']);
    await tested(here);
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    const [second] = await here.stores.history.trends([id], 20);
    expect(await read()).to.deep.equal(second);
    expect(second).to.not.deep.equal(first);
    expect(calls).to.deep.equal(['history.newest', 'history.trends']);
  });

  it('reads again what is of another revision, moment or score than what was kept', async () => {
    const here = await releaseScene();
    const id = here.release.id;
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    const [newest] = await here.stores.history.newest([id]);
    if (newest === undefined) throw new Error('The release was expected to have a point.');
    const points = [{ at: 1, score: 1 }];
    const markAfterPage = async (known: KnownTrend['newest']) =>
      (await readTrends(here, new Map([[id, { newest: known, points }]]), 20, [id])).get(id);
    expect(await markAfterPage(newest)).to.equal(points);
    for (const other of [{ at: newest.at - 1 }, { revision: newest.revision + 1 }, { score: 3.25 }])
      expect(await markAfterPage({ ...newest, ...other })).to.deep.equal([{ at: newest.at, score: newest.score }]);
  });
});

describe('Reading the standings of releases', () => {
  it('reads facts only of releases that changed since', async () => {
    const here = await releaseScene();
    const { stores, calls } = counted(here.stores);
    const kept = new Map<string, KnownStanding>();
    const read = async () => (await readStandings({ ...here, stores }, kept, [here.release.id])).get(here.release.id);
    const first = await read();
    expect(calls.splice(0)).to.deep.equal(['facts.revisions', 'facts.factsFor']);
    expect(await read()).to.deep.equal(first);
    expect(calls.splice(0)).to.deep.equal(['facts.revisions']);
    const issue = { title: 'Refunds', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
    await addIssue(here, { by: here.member, ...here.at, issue: { ...issue, releaseId: here.release.id } });
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    expect(await read()).to.include({ score: report.score, decision: report.gate.decision });
    expect(calls).to.deep.equal(['facts.revisions', 'facts.factsFor']);
  });

  it('never puts an older reading in the place of a newer one, and leaves out what is gone', async () => {
    const here = await releaseScene();
    const kept = new Map<string, KnownStanding>();
    const ids = [here.release.id];
    const standing = (await readStandings(here, kept, ids)).get(here.release.id);
    if (standing === undefined) throw new Error('The release was expected to be there.');
    const newer = { ...standing, revision: standing.revision + 5 };
    kept.set(here.release.id, newer);
    expect((await readStandings(here, kept, ids)).get(here.release.id)).to.deep.equal(standing);
    expect(kept.get(here.release.id)).to.deep.equal(newer);
    expect([...(await readStandings(here, kept, ['0192f7b4-0000-7000-8000-000000000000'])).keys()]).to.deep.equal([]);
  });
});
