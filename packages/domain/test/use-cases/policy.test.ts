import { expect } from 'chai';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import { changePolicy, LISTED_RELEASES, readPolicyPreview } from '../../src/use-cases/policy.js';
import { activateRelease, cancelRelease, shipRelease } from '../../src/use-cases/release.js';
import { refused } from '../refusal.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { HOUR, lastDeed, needing } from './world.js';

const strict = { ...DEFAULT_POLICY, threshold: 95 };

describe('Changing the policy', () => {
  it('adds the next version with the person who changed it, and is noted', async () => {
    const here = await projectScene();
    const next = await changePolicy(here, { by: here.owner, ...here.there, policy: strict, version: 1 });
    expect(next).to.deep.equal({ policy: strict, version: 2, changedAt: here.time.now, changedBy: 'Ada' });
    expect(await here.stores.policies.current(here.project.id)).to.deep.equal(next);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'policy.change',
      resource: { type: 'project', id: here.project.id },
      detail: { version: 2 },
    });
  });
  it('keeps the rules that it does not name, and removes own axes that are named as none', async () => {
    const here = await projectScene();
    let version = 0;
    const change = async (policy: Policy) => {
      version += 1;
      return (await changePolicy(here, { by: here.owner, ...here.there, policy, version })).policy;
    };
    const full: Policy = { ...strict, stabilityBound: 'upper_bound', silenceHours: 5, ownAxes: [{ name: 'security' }] };
    const { stabilityBound: _, silenceHours: __, ...older } = strict;
    expect(await change(full)).to.deep.equal(full);
    expect(await change(older)).to.deep.equal(full);
    const { ownAxes: ___, ...without } = full;
    expect(await change({ ...older, ownAxes: [] })).to.deep.equal(without);
    expect(await change({ ...older, silenceHours: null })).to.deep.equal({ ...without, silenceHours: null });
  });
  it('leaves out a rule that neither the caller nor the policy of now has, which was made before it', async () => {
    const here = await projectScene();
    const { stabilityBound: _, silenceHours: __, ...older } = strict;
    const made = { version: 2, changedAt: here.time.now, changedBy: 'Ada' };
    await here.stores.policies.add(here.project.id, { policy: older, ...made });
    const { policy } = await changePolicy(here, { by: here.owner, ...here.there, policy: older, version: 2 });
    expect(policy).to.deep.equal(older);
  });
  it('refuses an older version with the current one', async () => {
    const here = await projectScene();
    const change = () => changePolicy(here, { by: here.owner, ...here.there, policy: strict, version: 1 });
    const current = await change();
    expect((await refused(change(), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('lets one of two changes at once win', async () => {
    const here = await projectScene();
    const change = (threshold: number) =>
      changePolicy(here, { by: here.owner, ...here.there, policy: { ...strict, threshold }, version: 1 });
    const ends = await Promise.allSettled([change(70), change(90)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });
  it('refuses an invalid policy, and a person who is no owner', async () => {
    const here = await projectScene();
    const change = { ...here.there, policy: { ...strict, threshold: 101 }, version: 1 };
    await refused(changePolicy(here, { by: here.owner, ...change }), 'invalid');
    await refused(changePolicy(here, { by: needing('owner', here.member), ...change }), 'forbidden');
  });
});

/** Nothing but stability is looked at. */
const stable = (changes: Partial<Policy> = {}): Policy => ({
  ...DEFAULT_POLICY,
  requiredAxes: [],
  threshold: 0,
  minimums: { scope: 0, quality: 0, ops: 0, verification: 0, stability: 60 },
  ...changes,
});
const demanding = (stability: number, changes: Partial<Policy> = {}): Policy =>
  stable({ ...changes, minimums: { ...stable().minimums, stability } });

const preview = (here: ReleaseScene, policy: Policy, principal = here.viewer.principal) =>
  readPolicyPreview(here, { principal, ...here.there, policy });

/** Release 1.0 shipped under that policy after 3 successes and a failure in staging; 2.0 is active. */
const shippedScene = async (policy: Policy = stable()): Promise<ReleaseScene> => {
  const here = await releaseScene();
  await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
  for (const status of ['success', 'success', 'success', 'failure'] as const)
    await deployed(here, { status, environment: status === 'failure' ? 'staging' : 'production' });
  here.time.now += HOUR;
  await shipRelease(here, { by: here.member, ...here.at, note: null });
  here.time.now += HOUR;
  const next = await planned(here, '2.0');
  await activateRelease(here, { by: here.member, ...here.there, releaseId: next.id, current: null });
  return here;
};

const told = async (here: ReleaseScene, policy: Policy) =>
  (await preview(here, policy)).releases.map(({ release, before, after, flips }) => [
    release.name,
    `${before.decision} ${before.score}`,
    `${after.decision} ${after.score}`,
    flips,
  ]);

describe('Previewing a policy', () => {
  it('tells what flips and what would have been held, and changes nothing', async () => {
    const here = await shippedScene();
    const before = await here.stores.policies.current(here.project.id);
    const { flips, wouldHaveHeld, considered, heldCount } = await preview(here, demanding(80));
    expect([flips, considered, heldCount]).to.deep.equal([1, 2, 1]);
    expect(wouldHaveHeld.map(({ name }) => name)).to.deep.equal(['1.0']);
    expect(await told(here, demanding(80))).to.deep.equal([
      ['1.0', 'go 37.5', 'hold 37.5', true],
      ['2.0', 'go 0', 'go 0', false],
    ]);
    expect(await here.stores.policies.current(here.project.id)).to.deep.equal(before);
  });

  it('asks of the upper bound, too', async () => {
    const here = await shippedScene();
    expect((await preview(here, stable({ stabilityBound: 'upper_bound' }))).wouldHaveHeld).to.have.length(1);
    expect((await preview(here, stable())).wouldHaveHeld).to.deep.equal([]);
  });

  it('counts the environments of the policy sent, at the one that shipped and at the open one', async () => {
    const here = await shippedScene();
    await deployed(here, { status: 'failure', environment: 'staging' });
    const production = await preview(here, demanding(80, { environments: ['production'] }));
    expect(production.flips).to.equal(1);
    expect(production.wouldHaveHeld).to.deep.equal([]);
    expect(await told(here, demanding(80, { environments: ['production'] }))).to.deep.equal([
      ['2.0', 'hold 0', 'go 0', true],
      ['1.0', 'go 37.5', 'go 50', false],
    ]);
    const staging = await preview(here, demanding(80, { environments: ['staging'] }));
    expect(staging.wouldHaveHeld.map(({ name }) => name)).to.deep.equal(['1.0']);
  });

  it('counts anew where the policy it shipped under counted otherwise, though the one of now counts alike', async () => {
    const here = await shippedScene(stable({ environments: ['production'] }));
    await changePolicy(here, { by: here.owner, ...here.there, policy: stable(), version: 2 });
    const { stores, calls } = counted(here.stores);
    const found = await preview({ ...here, stores }, demanding(80));
    expect(found.wouldHaveHeld.map(({ name }) => name)).to.deep.equal(['1.0']);
    expect(calls).to.deep.equal([
      'projects.byId',
      'policies.current',
      'releases.page',
      'facts.factsFor',
      'releases.frozenOf',
    ]);
  });

  it('counts the test runs the other way', async () => {
    const here = await releaseScene();
    await tested(here, { suite: 'unit', passed: 0, failed: 10 });
    await tested(here, { suite: 'browser', passed: 10, failed: 0 });
    const { minimums } = stable();
    const policy = stable({ minimums: { ...minimums, verification: 95 }, verification: 'latest_per_suite' });
    expect(await told(here, policy)).to.deep.equal([['1.0', 'hold 50', 'hold 25', false]]);
  });

  it('judges shipped releases by their frozen facts, not by later changes', async () => {
    const here = await shippedScene();
    const [item] = await here.stores.checklists.ofRelease(here.release.id);
    if (item === undefined) throw new Error('there is no item');
    await here.stores.checklists.replace({ ...item, state: 'done', version: item.version + 1 });
    expect((await told(here, stable()))[1]).to.deep.equal(['1.0', 'go 37.5', 'go 37.5', false]);
  });

  it('judges all, and lists those that flip first, however old they are', async () => {
    const here = await shippedScene();
    for (let number = 0; number < LISTED_RELEASES + 10; number += 1) {
      here.time.now += 1;
      await planned(here, `p${number}`);
    }
    await cancelRelease(here, { by: here.member, ...here.there, releaseId: (await planned(here, 'no more')).id });
    const { stores, calls } = counted(here.stores);
    const found = await preview({ ...here, stores }, demanding(80));
    expect([found.considered, found.flips, found.heldCount]).to.deep.equal([LISTED_RELEASES + 12, 1, 1]);
    const names = found.releases.map(({ release }) => release.name);
    expect([names.length, ...names.slice(0, 3)]).to.deep.equal([LISTED_RELEASES, '1.0', 'p509', 'p508']);
    expect(names).not.to.include('no more');
    expect(found.wouldHaveHeld.map(({ name }) => name)).to.deep.equal(['1.0']);
    // Portions of 200, each in so many queries.
    expect(calls).to.have.lengthOf(2 + 3 * 3);
  });

  it('judges a shipped release at its shipping, however old its test run is by now', async () => {
    const here = await releaseScene();
    await tested(here, { passed: 10, failed: 0 });
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += 9 * HOUR;
    expect(await told(here, stable({ freshnessHours: 1 }))).to.deep.equal([['1.0', 'hold 50', 'go 50', true]]);
  });

  it('leaves out what was canceled or removed since it was listed', async () => {
    const here = await shippedScene();
    const next = await planned(here, '3.0');
    await cancelRelease(here, { by: here.member, ...here.there, releaseId: next.id });
    const page: typeof here.stores.releases.page = async (...asked) => {
      const { rows, next: more } = await here.stores.releases.page(...asked);
      return { rows: [next, { ...next, id: 'removed' }, ...rows], next: more };
    };
    const stores = { ...here.stores, releases: { ...here.stores.releases, page } };
    const { releases, considered } = await preview({ ...here, stores }, stable());
    expect([considered, ...releases.map(({ release }) => release.name)]).to.deep.equal([2, '2.0', '1.0']);
  });

  it('counts all that would have been held, and lists no more than 500', async () => {
    const here = await shippedScene();
    const { rows } = await here.stores.releases.page(
      { projectId: here.project.id, states: ['shipped'] },
      { limit: 1, after: null },
    );
    let pages = 0;
    const page: typeof here.stores.releases.page = async () => {
      pages += 1;
      const next = pages < 3 ? { at: 0, id: 'more' } : null;
      return { rows: Array.from({ length: 200 }, () => rows).flat(), next } as never;
    };
    const stores = { ...here.stores, releases: { ...here.stores.releases, page } };
    const found = await preview({ ...here, stores }, demanding(80));
    expect([found.considered, found.heldCount]).to.deep.equal([600, 600]);
    expect([found.releases.length, found.wouldHaveHeld.length]).to.deep.equal([LISTED_RELEASES, LISTED_RELEASES]);
  });

  it('refuses an invalid policy, and anyone who does not see the project', async () => {
    const here = await releaseScene();
    await refused(preview(here, stable({ threshold: -1 })), 'invalid');
    await refused(preview(here, stable(), here.stranger.principal), 'not-found');
  });
});
