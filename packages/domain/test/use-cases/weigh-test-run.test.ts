import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { weighTestRun } from '../../src/use-cases/weigh-test-run.js';
import { tested } from './reporting.js';
import { releaseScene } from './scene.js';

describe('Weighing a test run', () => {
  it('sets the run before it in its place', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 5, failed: 5 });
    here.time.now += 1_000;
    const view = await tested(here, { passed: 9 });
    const [line] = (await weighTestRun(here)(view)).attribution.releases;
    expect(line?.contribution).to.deep.equal({ scoreWith: 45, scoreWithout: 25 });
  });
  it('under latest_per_suite sets that of its suite there, and leaves the other suites', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, verification: 'latest_per_suite' } as const;
    await changePolicy(here)({ by: here.owner, ...here.there, policy, version: 1 });
    await tested(here, { suite: 'unit', passed: 0, failed: 10 });
    here.time.now += 1_000;
    await tested(here, { suite: null, passed: 10, failed: 0 });
    here.time.now += 1_000;
    const view = await tested(here, { suite: 'unit', passed: 10, failed: 0 });
    const [line] = (await weighTestRun(here)(view)).attribution.releases;
    expect(line?.contribution).to.deep.equal({ scoreWith: 50, scoreWithout: 25 });
  });
  it('weighs nothing once a later run has taken its place, be it while it is weighed', async () => {
    const here = await releaseScene();
    const view = await tested(here, { passed: 9 });
    const dossier: typeof here.lookups.dossier = async (id) => {
      const found = await here.lookups.dossier(id);
      here.time.now += 1_000;
      await tested(here, { passed: 1, failed: 9 });
      return found;
    };
    const [line] = (await weighTestRun({ ...here, lookups: { ...here.lookups, dossier } })(view)).attribution.releases;
    expect(line).to.include({ counts: false, reason: 'superseded_by_newer_run', contribution: null });
  });
});
