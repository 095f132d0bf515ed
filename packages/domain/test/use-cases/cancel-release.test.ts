import { expect } from 'chai';
import { cancelRelease } from '../../src/use-cases/cancel-release.js';
import { refused } from '../refusal.js';
import { planned, releaseScene } from './scene.js';
import { actions } from './world.js';

describe('Canceling a release', () => {
  it('ends the window of an active one, and is noted', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    const canceled = await cancelRelease(here)({ by: here.member, ...here.at });
    expect(canceled).to.include({ state: 'canceled', canceledAt: here.time.now });
    const windows = (at: number) => here.stores.releases.windowsAt(here.project.id, at);
    expect(await windows(here.time.now - 1)).to.have.length(1);
    expect(await windows(here.time.now)).to.have.length(0);
    expect(await actions(here, here.teamId)).to.include('release.cancel');
  });
  it('gives up a planned one, once', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    const cancel = () => cancelRelease(here)({ by: here.member, ...here.there, releaseId });
    expect((await cancel()).state).to.equal('canceled');
    await refused(cancel(), 'release-state');
    await refused(cancelRelease(here)({ by: here.viewer, ...here.at }), 'forbidden');
  });
});
