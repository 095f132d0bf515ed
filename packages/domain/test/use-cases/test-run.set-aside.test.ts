import { expect } from 'chai';
import { createProject } from '../../src/use-cases/project.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { readTestRun, restoreTestRun, setTestRunAside } from '../../src/use-cases/test-run.js';
import { refused } from '../refusal.js';
import { tested } from './reporting.js';
import { releaseScene } from './scene.js';
import { lastDeed, needing } from './world.js';

const withRun = async () => {
  const here = await releaseScene();
  const { testRun } = await tested(here, { suite: 'unit', passed: 10, failed: 0 });
  const at = { ...here.there, testRunId: testRun.id };
  const causes = async () => {
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    return report.gate.reasons.filter(({ axis }) => axis === 'verification').map(({ message }) => message);
  };
  const setAside = (by = here.owner, over: object = {}) =>
    setTestRunAside(here, { by, ...at, reason: 'It ran on the wrong branch.', ...over });
  return { ...here, testRun, inRun: at, causes, setAside };
};
const UNMEASURED = ['Verification is not measured: the latest test run of a suite is set aside'];

describe('Setting a test run aside', () => {
  it('keeps it with person, moment and reason, and leaves verification unmeasured until its suite has a newer run', async () => {
    const here = await withRun();
    expect(await here.causes()).to.deep.equal([]);
    here.time.now += 5;
    const mark = { reason: 'It ran on the wrong branch.', by: 'Ada', at: here.time.now };
    expect(await here.setAside()).to.deep.equal({ ...here.testRun, setAside: mark });
    const read = { principal: here.viewer.principal, ...here.inRun };
    const { testRun, attribution } = await readTestRun(here, read);
    expect(testRun.setAside).to.deep.equal(mark);
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'set_aside' });
    expect(await here.causes()).to.deep.equal(UNMEASURED);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'test_run.set_aside',
      resource: { type: 'test_run', id: here.testRun.id },
      detail: { suite: 'unit', total: 10, passed: 10, reason: mark.reason },
    });
    here.time.now += 5;
    const other = await tested(here, { suite: 'e2e', passed: 10, failed: 0 });
    const beside = { counts: false, reason: 'other_suite_set_aside' };
    expect(other.attribution.releases[0]).to.include(beside);
    const readOther = { ...read, testRunId: other.testRun.id };
    expect((await readTestRun(here, readOther)).attribution.releases[0]).to.include(beside);
    expect(await here.causes()).to.deep.equal(UNMEASURED);
    here.time.now += 5;
    await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    expect(await here.causes()).to.deep.equal([]);
    const { counts, reason } = (await readTestRun(here, readOther)).attribution.releases[0] ?? {};
    expect([counts, reason]).to.deep.equal([false, 'superseded_by_newer_run']);
  });
  it('is taken back, with the person in the audit log', async () => {
    const here = await withRun();
    await here.setAside();
    expect(await restoreTestRun(here, { by: here.owner, ...here.inRun })).to.deep.equal(here.testRun);
    expect(await here.causes()).to.deep.equal([]);
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.action).to.equal('test_run.restore');
    expect(deed?.detail).to.deep.include({ reason: 'It ran on the wrong branch.' });
  });
  it('is for owners, once, while the release is open', async () => {
    const here = await withRun();
    await refused(here.setAside(needing('owner', here.member)), 'forbidden');
    await refused(here.setAside(here.stranger), 'not-found');
    const unknown = await refused(here.setAside(here.owner, { testRunId: 'none' }), 'not-found');
    expect(unknown.details).to.deep.equal({ what: 'test run' });
    const counted = await refused(restoreTestRun(here, { by: here.owner, ...here.inRun }), 'test-run-state');
    expect(counted.message).to.equal('The test run is not set aside.');
    await here.setAside();
    const again = await refused(here.setAside(), 'test-run-state');
    expect(again.message).to.equal('The test run is set aside already.');
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(restoreTestRun(here, { by: here.owner, ...here.inRun }), 'release-closed');
  });
  it('is of no run of another project, even for its owner', async () => {
    const here = await withRun();
    const other = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Other' });
    await refused(here.setAside(here.owner, { projectId: other.id }), 'not-found');
    expect(await here.causes()).to.deep.equal([]);
  });
  it('needs a reason that explains something, in any script', async () => {
    const here = await withRun();
    const { details } = await refused(here.setAside(here.owner, { reason: ' ... ' }), 'invalid');
    const message = 'Say why the test run is wrong';
    expect(details.faults).to.deep.equal([{ pointer: '/reason', code: 'required', message }]);
    expect((await here.setAside(here.owner, { reason: '誤' })).setAside?.reason).to.equal('誤');
  });
  it('of the run before it in its suite leaves verification unmeasured without the one that counts', async () => {
    const here = await withRun();
    here.time.now += 5;
    await here.setAside();
    here.time.now += 5;
    await tested(here, { suite: 'e2e', passed: 9, failed: 1 });
    const score = async () =>
      (await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null })).report.score;
    const before = await score();
    here.time.now += 5;
    const { testRun } = await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    const { attribution } = await readTestRun(here, {
      principal: here.viewer.principal,
      ...here.there,
      testRunId: testRun.id,
    });
    expect(before).to.equal(0);
    expect(attribution.releases[0]?.contribution).to.deep.equal({ scoreWith: await score(), scoreWithout: before });
    expect(await score()).to.equal(50);
  });
  it('of the run before the one that counts shows in what that one contributes', async () => {
    const here = await withRun();
    here.time.now += 5;
    const { testRun } = await tested(here, { suite: 'unit', passed: 9, failed: 1 });
    await here.setAside();
    const { attribution } = await readTestRun(here, {
      principal: here.viewer.principal,
      ...here.there,
      testRunId: testRun.id,
    });
    expect(attribution.releases[0]?.contribution).to.not.equal(null);
  });
});
