import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { refused } from '../refusal.js';
import { projectScene } from './scene.js';
import { lastDeed } from './world.js';

const strict = { ...DEFAULT_POLICY, threshold: 95 };

describe('Changing the policy', () => {
  it('adds the next version with who changed it, and is noted', async () => {
    const here = await projectScene();
    const next = await changePolicy(here)({ by: here.owner, ...here.there, policy: strict, version: 1 });
    expect(next).to.deep.equal({ policy: strict, version: 2, changedAt: here.time.now, changedBy: 'Ada' });
    expect(await here.stores.policies.current(here.project.id)).to.deep.equal(next);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'policy.change',
      resource: { type: 'project', id: here.project.id },
      detail: { version: 2 },
    });
  });
  it('refuses an older version with the current one', async () => {
    const here = await projectScene();
    const change = () => changePolicy(here)({ by: here.owner, ...here.there, policy: strict, version: 1 });
    const current = await change();
    expect((await refused(change(), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('lets one of two changes at once win', async () => {
    const here = await projectScene();
    const change = (threshold: number) =>
      changePolicy(here)({ by: here.owner, ...here.there, policy: { ...strict, threshold }, version: 1 });
    const ends = await Promise.allSettled([change(70), change(90)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });
  it('refuses an invalid policy and who is no owner', async () => {
    const here = await projectScene();
    const change = { ...here.there, policy: { ...strict, threshold: 101 }, version: 1 };
    await refused(changePolicy(here)({ by: here.owner, ...change }), 'invalid');
    await refused(changePolicy(here)({ by: here.member, ...change }), 'forbidden');
  });
});
