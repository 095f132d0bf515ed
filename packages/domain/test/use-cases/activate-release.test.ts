import { expect } from 'chai';
import { activateRelease } from '../../src/use-cases/activate-release.js';
import { createProject } from '../../src/use-cases/create-project.js';
import { refused } from '../refusal.js';
import { planned, projectScene, type ReleaseScene, releaseScene } from './scene.js';
import { actions } from './world.js';

const activate = (
  here: Omit<ReleaseScene, 'release' | 'at'>,
  releaseId: string,
  current: 'ship' | 'park' | null = null,
) => activateRelease(here)({ by: here.member, ...here.there, releaseId, current });

describe('Activating a release', () => {
  it('starts its window at that moment, and is noted', async () => {
    const here = await projectScene();
    const { id } = await planned(here, '1.0');
    here.time.now += 5;
    expect(await activate(here, id)).to.include({ state: 'active', startsAt: here.time.now, version: 2 });
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(id);
    expect(await actions(here, here.teamId)).to.include('release.activate');
  });
  it('leaves the active one unchanged', async () => {
    const here = await releaseScene();
    expect(await activate(here, here.release.id)).to.deep.equal(here.release);
  });
  it('is refused while another is active, which it names', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    const error = await refused(activate(here, next.id), 'release-active');
    expect(error.details).to.deep.equal({ active: { id: here.release.id, name: '1.0' } });
    expect((await here.stores.releases.byId(next.id))?.state).to.equal('planned');
  });
  for (const [current, state] of [
    ['ship', 'shipped'],
    ['park', 'planned'],
  ] as const)
    it(`with current ${current} leaves the present one ${state}, in one go`, async () => {
      const here = await releaseScene();
      const next = await planned(here, '2.0');
      expect((await activate(here, next.id, current)).state).to.equal('active');
      expect((await here.stores.releases.byId(here.release.id))?.state).to.equal(state);
      const frozen = await here.stores.releases.frozen(here.release.id);
      expect(frozen !== undefined).to.equal(current === 'ship');
    });
  it('of two at once lets exactly one be active', async () => {
    const here = await projectScene();
    const [first, second] = [await planned(here, '1.0'), await planned(here, '2.0')];
    const ends = await Promise.allSettled([activate(here, first.id), activate(here, second.id)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { rows } = await here.stores.releases.ofProject(here.project.id, ['active'], { limit: 9, after: null });
    expect(rows).to.have.length(1);
  });
  it('undoes all when the release itself cannot be activated', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    await activate(here, next.id, 'ship');
    await refused(activate(here, here.release.id, 'park'), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(next.id);
  });
  it('leaves the present one as it is when its own start, or the one of the present one, lies ahead', async () => {
    const here = await releaseScene();
    const next = await planned(here, '2.0');
    const later = { ...next, startsAt: here.time.now + 1, version: next.version + 1 };
    await here.stores.releases.replace(later, here.time.now);
    for (const current of ['ship', 'park', null] as const)
      await refused(activate(here, next.id, current), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(here.release.id);
    here.time.now += 1;
    expect((await activate(here, next.id, 'park')).startsAt).to.equal(later.startsAt);
    const [third, ahead] = [await planned(here, '3.0'), { startsAt: here.time.now + 1 }];
    const present = await here.stores.releases.byId(next.id);
    if (present === undefined) throw new Error('It is active.');
    // As versions before could leave it.
    await here.stores.releases.replace({ ...present, ...ahead, version: present.version + 1 }, here.time.now);
    await refused(activate(here, third.id, 'ship'), 'release-state');
    expect((await here.stores.releases.activeOf(here.project.id))?.id).to.equal(next.id);
    expect((await activate(here, third.id, 'park')).state).to.equal('active');
  });
  it('does not reach releases of other projects', async () => {
    const here = await releaseScene();
    const other = await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Store' });
    const there = { teamId: here.teamId, projectId: other.id };
    await refused(activate({ ...here, there }, here.release.id), 'not-found');
    await refused(activate(here, 'r9'), 'not-found');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(activateRelease(here)({ by: here.viewer, ...here.at, current: null }), 'forbidden');
    await refused(activateRelease(here)({ by: here.stranger, ...here.at, current: null }), 'not-found');
  });
});
