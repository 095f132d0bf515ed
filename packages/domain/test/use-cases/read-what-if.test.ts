import { expect } from 'chai';
import type { WhatIfChanges } from '../../src/readiness/what-if.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { readWhatIf } from '../../src/use-cases/read-what-if.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR } from './world.js';

const ask = (here: ReleaseScene, changes: WhatIfChanges, principal = here.viewer.principal) =>
  readWhatIf(here)({ principal, ...here.at, changes });
const read = (here: ReleaseScene) => readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null });

describe('Asking what if', () => {
  it('nothing changed: the report as it reads now, by one query', async () => {
    const here = await releaseScene();
    await deployed(here, { status: 'failure' });
    const { stores, calls } = counted(here.stores);
    const answer = await ask({ ...here, stores }, {});
    expect(calls).to.deep.equal(['facts.factsFor']);
    const { report, project, release } = await read(here);
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
    const before = await read(here);
    const facts = { verification: { passed: 10, total: 10 }, ops: { done: 3, total: 3 } };
    const policy = { requiredAxes: ['ops', 'verification'] as const };
    const { report } = await ask(here, { facts, policy });
    expect([report.score, report.gate.decision]).to.deep.equal([100, 'go']);
    expect(await read(here)).to.deep.equal(before);
  });

  it('other environments and another way to verify: the records are counted anew, stated facts stand', async () => {
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
    const { frozen } = await shipRelease(here)({ by: here.member, ...here.at, note: null });
    here.time.now += DAY;
    const { policy } = frozen.policy;
    const strict = { ...policy, threshold: 100 };
    await changePolicy(here)({ by: here.owner, ...here.there, policy: strict, version: 1 });
    const plain = await ask(here, {});
    expect(plain.report).to.deep.equal({ ...frozen.report, asOf: shippedAt });
    const fresh = await ask(here, { policy: { freshnessHours: 2 } });
    expect(fresh.report.axes[3]).to.include({ state: 'measured', score: 100 });
    const counted = await ask(here, { policy: { environments: ['production'] } });
    expect(counted.report.axes[4]?.facts).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 1 });
  });

  it('refuses what does not fit or is out of range, every fault at its place', async () => {
    const here = await releaseScene();
    const changes = { facts: { scope: { done: 2, total: 1 } }, policy: { threshold: 100.5, environments: [] } };
    const { details } = await refused(ask(here, changes), 'invalid');
    const expected = ['/facts/scope/done', '/facts/quality', '/policy/threshold', '/policy/environments'];
    expect(pointers(details.faults)).to.deep.equal(expected);
  });

  it('refuses whoever does not see the release', async () => {
    const here = await releaseScene();
    await refused(ask(here, {}, here.stranger.principal), 'not-found');
    const other = await projectScene();
    await refused(ask({ ...here, at: { ...here.at, projectId: other.project.id } }, {}), 'not-found');
  });
});
