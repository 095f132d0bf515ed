import { expect } from 'chai';
import { activateRelease } from '../../src/use-cases/activate-release.js';
import { parkRelease } from '../../src/use-cases/park-release.js';
import { refused } from '../refusal.js';
import { releaseScene } from './scene.js';
import { actions } from './world.js';

describe('Parking a release', () => {
  it('puts it back to planned without ending its window, and is noted', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const parked = await parkRelease(here)({ by: here.member, ...here.at });
    expect(parked).to.include({ state: 'planned', startsAt: here.release.startsAt });
    expect(await here.stores.releases.windowsAt(here.project.id, here.time.now)).to.have.length(1);
    expect(await actions(here, here.teamId)).to.include('release.park');
    const again = await activateRelease(here)({ by: here.member, ...here.at, current: null });
    expect(again).to.include({ state: 'active', startsAt: here.release.startsAt });
  });
  it('is refused for what is not active', async () => {
    const here = await releaseScene();
    await parkRelease(here)({ by: here.member, ...here.at });
    await refused(parkRelease(here)({ by: here.member, ...here.at }), 'release-state');
    await refused(parkRelease(here)({ by: here.viewer, ...here.at }), 'forbidden');
  });
});
