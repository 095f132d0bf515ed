import { expect } from 'chai';
import { AXES } from '../../src/readiness/axis.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { WhatIfChanges } from '../../src/readiness/what-if.js';
import { recordHistory } from '../../src/use-cases/history.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { renameProject } from '../../src/use-cases/project.js';
import { type ReadReadiness, readReadiness, readReadinessAt, readWhatIf } from '../../src/use-cases/readiness.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { setTestRunAside } from '../../src/use-cases/test-run.js';
import { pointers, refused } from '../refusal.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR, MINUTE } from './world.js';

const markAfterPage = (here: ReleaseScene, over: Partial<ReadReadiness> = {}) =>
  readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null, ...over });

describe('Reading the readiness of a release', () => {
  it('answers five axes in order, with whose it is', async () => {
    const here = await releaseScene();
    const answer = await markAfterPage(here);
    expect(answer.project).to.deep.equal({ id: here.project.id, name: 'Shop' });
    expect(answer.release).to.deep.equal(here.release);
    expect(answer.report.axes.map((reading) => reading.axis)).to.deep.equal(AXES);
    expect(answer.frozenAt).to.equal(null);
  });
  it('reflects reports without manual upkeep', async () => {
    const here = await releaseScene();
    const before = await markAfterPage(here);
    await deployed(here);
    await tested(here, { passed: 10, failed: 0 });
    const after = await markAfterPage(here);
    const states = (answer: typeof after) => answer.report.axes.map((reading) => reading.state);
    expect(states(before)).to.deep.equal(['unmeasured', 'unmeasured', 'measured', 'unmeasured', 'unmeasured']);
    expect(states(after)).to.deep.equal(['unmeasured', 'unmeasured', 'measured', 'measured', 'measured']);
    expect([before.report.score, after.report.score]).to.deep.equal([0, 66.66]);
    expect(after.revision).to.be.greaterThan(before.revision);
  });
  it('is as of the last change: two reads without one are the same', async () => {
    const here = await releaseScene();
    here.time.now += 5_000;
    await deployed(here);
    const changedAt = here.time.now;
    here.time.now += HOUR;
    const first = await markAfterPage(here);
    here.time.now += HOUR;
    expect(first.report.asOf).to.equal(changedAt);
    expect(await markAfterPage(here)).to.deep.equal(first);
  });
  it('tells until when it holds, and is as of the time limit from then on', async () => {
    const here = await releaseScene();
    await tested(here);
    const policy = { ...DEFAULT_POLICY, freshnessHours: 2 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    const { until } = await markAfterPage(here);
    expect(until).to.be.within(here.time.now + 2 * HOUR, here.time.now + 2 * HOUR + 1);
    here.time.now = until ?? 0;
    const stale = await markAfterPage(here);
    expect(stale.report.axes[3]).to.include({ state: 'unmeasured', cause: 'stale_test_run' });
    expect([stale.report.asOf, stale.until]).to.deep.equal([until, null]);
  });
  it('of the project is that of its active release', async () => {
    const here = await releaseScene();
    expect(await markAfterPage(here, { releaseId: null })).to.deep.equal(await markAfterPage(here));
  });
  it('of the project is refused while no release is active', async () => {
    const here = await projectScene();
    const path = { principal: here.viewer.principal, ...here.there, releaseId: null, view: null };
    await refused(readReadiness(here, path), 'no-active-release');
    await refused(readReadiness(here, { ...path, principal: here.stranger.principal }), 'not-found');
  });
  it('is live for a planned release, and frozen for none that has not shipped', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    expect((await markAfterPage(here, { releaseId })).frozenAt).to.equal(null);
    await refused(markAfterPage(here, { view: 'frozen' }), 'not-found');
  });
  it('finds nothing out of sight, or under another team or project', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await refused(markAfterPage(here, { principal: here.stranger.principal }), 'not-found');
    await refused(markAfterPage(here, { principal: here.stranger.principal, teamId }), 'not-found');
    await refused(markAfterPage(here, { projectId: 'p9' }), 'not-found');
    await refused(markAfterPage(here, { releaseId: 'r9' }), 'not-found');
  });
});

const known = (here: ReleaseScene, at: number, principal = here.viewer.principal) =>
  readReadinessAt(here, { principal, ...here.at, at });
const live = (here: ReleaseScene) => readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
const record = (here: ReleaseScene) => recordHistory(here, { limit: 10, leaseMs: 60_000 });

/** The release with a deployment and, a minute later, a test run; both are recorded. */
const scene = async () => {
  const here = await releaseScene();
  const made = here.time.now;
  here.time.now += MINUTE;
  await deployed(here);
  const deployedAt = here.time.now;
  await record(here);
  here.time.now += MINUTE;
  await tested(here);
  const testedAt = here.time.now;
  await record(here);
  here.time.now += HOUR;
  return { ...here, made, deployedAt, testedAt };
};

describe('Reading the readiness as of a past moment', () => {
  it('answers with the facts of that moment', async () => {
    const here = await scene();
    const states = async (at: number) => (await known(here, at)).report.axes.map(({ state }) => state === 'measured');
    expect(await states(here.deployedAt)).to.deep.equal([false, false, true, false, true]);
    expect(await states(here.testedAt - 1)).to.deep.equal([false, false, true, false, true]);
    expect(await states(here.testedAt)).to.deep.equal([false, false, true, true, true]);
    expect((await known(here, here.time.now)).report).to.deep.equal((await live(here)).report);
  });
  it('answers with what is not recorded yet', async () => {
    const here = await scene();
    await deployed(here, { status: 'failure' });
    const { report } = await live(here);
    here.time.now += MINUTE;
    expect((await known(here, here.time.now - 1)).report).to.deep.equal(report);
    expect((await known(here, report.asOf - 1)).report.score).not.to.equal(report.score);
  });
  it('answers a shipped release frozen from then on, and under the name it had', async () => {
    const here = await scene();
    const { frozen } = await shipRelease(here, { by: here.member, ...here.at, note: null });
    await record(here);
    const shippedAt = here.time.now;
    here.time.now += MINUTE;
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    await record(here);
    const renamedAt = here.time.now;
    const before = await known(here, shippedAt - 1);
    expect([before.frozenAt, before.release.state]).to.deep.equal([null, 'active']);
    for (const [at, name] of [
      [shippedAt, 'Shop'],
      [renamedAt, 'Store'],
    ] as const) {
      const found = await known(here, at);
      expect(found).to.deep.include({ report: frozen.report, frozenAt: shippedAt });
      expect([found.release.state, found.project.name]).to.deep.equal(['shipped', name]);
      expect(found.basis.facts).to.deep.equal(frozen.facts);
    }
  });
  it('knows nothing from before the release', async () => {
    const here = await scene();
    const { message } = await refused(known(here, here.made - 1), 'not-found');
    expect(message).to.equal('Nothing had been recorded of the release at that moment.');
  });
  it('knows a release from its creation on, although its first point includes changes right after it', async () => {
    const here = await releaseScene();
    const made = here.time.now;
    here.time.now += 700;
    await deployed(here);
    const found = await known(here, made);
    expect(found.report.asOf, 'the report says which moment it is of').to.equal(made + 700);
    here.time.now += 700;
    await record(here);
    expect((await known(here, made)).report).to.deep.equal(found.report);
    await refused(known(here, made - 1), 'not-found');
  });
  it('answers frozen what shipped right after it was made', async () => {
    const here = await releaseScene();
    const made = here.time.now;
    here.time.now += 700;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const shipped = { frozenAt: made + 700, state: 'shipped' };
    const at = async () => {
      const { frozenAt, release } = await known(here, made);
      return { frozenAt, state: release.state };
    };
    expect(await at()).to.deep.equal(shipped);
    await record(here);
    expect(await at()).to.deep.equal(shipped);
  });
  it('does not take a first point that came late for what was known before', async () => {
    const here = await scene();
    await refused(known(here, here.made), 'not-found');
    expect((await known(here, here.deployedAt - 2_000)).frozenAt).to.equal(null);
  });
  it('knows only the scores of points that do not keep what they were made of', async () => {
    const here = await scene();
    const [last] = await here.stores.history.latest([here.release.id]);
    if (last === undefined) throw new Error('a point was expected');
    const old = { ...last, at: here.deployedAt + 5_000, revision: 0, snapshot: null };
    await deployed(here);
    const [dirty] = await here.stores.history.claim(here.time.now, 1, 60_000);
    if (dirty === undefined) throw new Error('the release was expected to be dirty');
    await here.stores.history.settle(dirty, [old], null);
    const { message } = await refused(known(here, old.at), 'not-found');
    expect(message).to.equal('Of that moment only the scores were kept, not what they were computed from.');
    expect((await known(here, old.at - 1)).frozenAt).to.equal(null);
  });
  it('refuses a moment that has not come', async () => {
    const here = await scene();
    const { details } = await refused(known(here, here.time.now + 1), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['as_of']);
  });
  it('is for those who see the project', async () => {
    const here = await scene();
    await refused(known(here, here.testedAt, here.stranger.principal), 'not-found');
    const elsewhere = { ...here.at, projectId: here.newId() };
    const { principal } = here.viewer;
    await refused(readReadinessAt(here, { principal, ...elsewhere, at: here.testedAt }), 'not-found');
  });
});

const ask = (here: ReleaseScene, changes: WhatIfChanges, principal = here.viewer.principal) =>
  readWhatIf(here, { principal, ...here.at, changes });
const readNow = (here: ReleaseScene) =>
  readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });

describe('Asking what if', () => {
  it('nothing changed: the report as it reads now, by one query', async () => {
    const here = await releaseScene();
    await deployed(here, { status: 'failure' });
    const { stores, calls } = counted(here.stores);
    const answer = await ask({ ...here, stores }, {});
    expect(calls).to.deep.equal(['facts.factsFor']);
    const { report, project, release } = await readNow(here);
    expect(answer.report).to.deep.equal({ ...report, asOf: here.time.now });
    expect([answer.project, answer.release]).to.deep.equal([project, release]);
    expect(answer.before).to.deep.equal({
      score: report.score,
      coverage: report.coverage,
      decision: report.gate.decision,
    });
  });

  it('other facts and demands: the other report, and nothing is stored', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 5, failed: 5 });
    const before = await readNow(here);
    const facts = { verification: { passed: 10, total: 10 }, ops: { done: 3, total: 3 } };
    const policy = { requiredAxes: ['ops', 'verification'] as const };
    const { report } = await ask(here, { facts, policy });
    expect([report.score, report.gate.decision]).to.deep.equal([100, 'go']);
    expect(await readNow(here)).to.deep.equal(before);
  });

  it('other environments and another way to verify: the records are counted anew, stated facts are used as they are', async () => {
    const here = await releaseScene();
    await deployed(here, { environment: 'production', status: 'success' });
    await deployed(here, { environment: 'staging', status: 'failure' });
    await tested(here, { suite: 'unit', passed: 8, failed: 2 });
    await tested(here, { suite: 'browser', passed: 10, failed: 0 });
    const factsOf = async (changes: WhatIfChanges) => {
      const { axes } = (await ask(here, changes)).report;
      return [axes[3]?.facts, axes[4]?.facts];
    };
    const policy = { environments: ['production'], verification: 'latest_per_suite' } as const;
    const [verification, stability] = await factsOf({ policy });
    expect(verification).to.include({ passed: 18, total: 20, runs: 2 });
    expect(stability).to.deep.equal({ succeeded: 1, failed: 0, inProgress: 0 });
    const stated = { succeeded: 7, failed: 7, inProgress: 0 };
    expect((await factsOf({ policy, facts: { stability: stated } }))[1]).to.deep.equal(stated);
  });

  it('a shipped release: from what was frozen, at that moment, under the policy it shipped under', async () => {
    const here = await releaseScene();
    await deployed(here, { environment: 'staging', status: 'failure' });
    await tested(here, { passed: 10, failed: 0 });
    await deployed(here, { environment: 'production', status: 'started' });
    here.time.now += HOUR;
    const shippedAt = here.time.now;
    const { frozen } = await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += DAY;
    const { policy } = frozen.policy;
    const strict = { ...policy, threshold: 100 };
    await changePolicy(here, { by: here.owner, ...here.there, policy: strict, version: 1 });
    const plain = await ask(here, {});
    expect(plain.report).to.deep.equal({ ...frozen.report, asOf: shippedAt });
    const fresh = await ask(here, { policy: { freshnessHours: 2 } });
    expect(fresh.report.axes[3]).to.include({ state: 'measured', score: 100 });
    const counted = await ask(here, { policy: { environments: ['production'] } });
    expect(counted.report.axes[4]?.facts).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 1 });
  });

  it('another way to verify, of a release that shipped with a run set aside: counts a late run of the suite', async () => {
    const here = await releaseScene();
    here.time.now += HOUR;
    const { testRun } = await tested(here, { suite: 'e2e', passed: 1, failed: 9 });
    const lost = { by: here.owner, ...here.there, testRunId: testRun.id, reason: 'The wrong database.' };
    await setTestRunAside(here, lost);
    const ranAt = here.time.now + 1;
    here.time.now += HOUR;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += HOUR;
    await tested(here, { suite: 'e2e', passed: 10, failed: 0, ranAt });
    const { report } = await ask(here, { policy: { verification: 'latest_per_suite' } });
    expect(report.axes[3]).to.include({ state: 'measured', score: 100 });
    expect((await ask(here, {})).report.axes[3]).to.include({ state: 'unmeasured', cause: 'test_run_set_aside' });
  });

  it('refuses what does not fit or is out of range, every fault at its place', async () => {
    const here = await releaseScene();
    const changes = { facts: { scope: { done: 2, total: 1 } }, policy: { threshold: 100.5, environments: [] } };
    const { details } = await refused(ask(here, changes), 'invalid');
    const expected = ['/facts/scope/done', '/facts/quality', '/policy/threshold', '/policy/environments'];
    expect(pointers(details.faults)).to.deep.equal(expected);
  });

  it('refuses anyone who does not see the release', async () => {
    const here = await releaseScene();
    await refused(ask(here, {}, here.stranger.principal), 'not-found');
    const other = await projectScene();
    await refused(ask({ ...here, at: { ...here.at, projectId: other.project.id } }, {}), 'not-found');
  });
});
