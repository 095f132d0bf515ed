import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { readTestRun } from '../../src/use-cases/read-test-run.js';
import { refused } from '../refusal.js';
import { tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const read = (here: ReleaseScene, testRunId: string, by = here.viewer) =>
  readTestRun(here)({ principal: by.principal, ...here.there, testRunId });
const line = async (...given: Parameters<typeof read>) => (await read(...given)).attribution.releases[0];

describe('Reading a test run', () => {
  it('answers the record with its receipt and what it does to the score', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here, { passed: 9, total: 10 });
    expect((await read(here, testRun.id)).testRun).to.deep.equal(testRun);
    // Ops 0 and verification 90; without it only ops.
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 0 });
  });
  it('has the run before it take its place in the score without it', async () => {
    const here = await releaseScene();
    const { testRun: first } = await tested(here, { passed: 5, failed: 5 });
    here.time.now += 1_000;
    const { testRun } = await tested(here, { passed: 9 });
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 25 });
    expect(await line(here, first.id)).to.include({
      counts: false,
      reason: 'superseded_by_newer_run',
      contribution: null,
    });
  });
  it('under latest_per_suite leaves the other suites', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
    await changePolicy(here)({ by: here.owner, ...here.there, policy, version: 1 });
    await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    const { testRun } = await tested(here, { suite: null, passed: 0, failed: 10 });
    expect((await line(here, testRun.id))?.contribution).to.deep.equal({ scoreWith: 25, scoreWithout: 50 });
  });
  it('finds nothing out of sight or under another project', async () => {
    const here = await releaseScene();
    const { testRun } = await tested(here);
    await refused(read(here, testRun.id, here.stranger), 'not-found');
    await refused(read(here, 'none'), 'not-found');
    await refused(read({ ...here, there: { ...here.there, projectId: 'p9' } }, testRun.id), 'not-found');
  });
});
