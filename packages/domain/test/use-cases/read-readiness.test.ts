import { expect } from 'chai';
import { AXES } from '../../src/readiness/axis.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { type ReadReadiness, readReadiness } from '../../src/use-cases/read-readiness.js';
import { refused } from '../refusal.js';
import { deployed, tested } from './reporting.js';
import { planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { HOUR } from './world.js';

const read = (here: ReleaseScene, over: Partial<ReadReadiness> = {}) =>
  readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null, ...over });

describe('Reading the readiness of a release', () => {
  it('answers five axes in order, with whose it is', async () => {
    const here = await releaseScene();
    const answer = await read(here);
    expect(answer.project).to.deep.equal({ id: here.project.id, name: 'Shop' });
    expect(answer.release).to.deep.equal(here.release);
    expect(answer.report.axes.map((reading) => reading.axis)).to.deep.equal(AXES);
    expect(answer.frozenAt).to.equal(null);
  });
  it('reflects reports without manual upkeep', async () => {
    const here = await releaseScene();
    const before = await read(here);
    await deployed(here);
    await tested(here, { passed: 10, failed: 0 });
    const after = await read(here);
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
    const first = await read(here);
    here.time.now += HOUR;
    expect(first.report.asOf).to.equal(changedAt);
    expect(await read(here)).to.deep.equal(first);
  });
  it('tells until when it holds, and is as of the time limit from then on', async () => {
    const here = await releaseScene();
    await tested(here);
    const policy = { ...DEFAULT_POLICY, freshnessHours: 2 };
    await changePolicy(here)({ by: here.owner, ...here.there, policy, version: 1 });
    const { until } = await read(here);
    expect(until).to.be.within(here.time.now + 2 * HOUR, here.time.now + 2 * HOUR + 1);
    here.time.now = until ?? 0;
    const stale = await read(here);
    expect(stale.report.axes[3]).to.include({ state: 'unmeasured', cause: 'stale_test_run' });
    expect([stale.report.asOf, stale.until]).to.deep.equal([until, null]);
  });
  it('of the project is that of its active release', async () => {
    const here = await releaseScene();
    expect(await read(here, { releaseId: null })).to.deep.equal(await read(here));
  });
  it('of the project is refused while no release is active', async () => {
    const here = await projectScene();
    const path = { principal: here.viewer.principal, ...here.there, releaseId: null, view: null };
    await refused(readReadiness(here)(path), 'no-active-release');
    await refused(readReadiness(here)({ ...path, principal: here.stranger.principal }), 'not-found');
  });
  it('is live for a planned release, and frozen for none that has not shipped', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    expect((await read(here, { releaseId })).frozenAt).to.equal(null);
    await refused(read(here, { view: 'frozen' }), 'not-found');
  });
  it('finds nothing out of sight, or under another team or project', async () => {
    const here = await releaseScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await refused(read(here, { principal: here.stranger.principal }), 'not-found');
    await refused(read(here, { principal: here.stranger.principal, teamId }), 'not-found');
    await refused(read(here, { projectId: 'p9' }), 'not-found');
    await refused(read(here, { releaseId: 'r9' }), 'not-found');
  });
});
