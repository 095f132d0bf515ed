import { expect } from 'chai';
import { weighDeployment } from '../../src/use-cases/weigh-deployment.js';
import { deployed } from './reporting.js';
import { releaseScene } from './scene.js';

describe('Weighing a deployment', () => {
  it('adds what it does to the score at the time of asking', async () => {
    const here = await releaseScene();
    const view = await deployed(here, { status: 'success' });
    const contributionNow = async () =>
      (await weighDeployment(here)(view)).attribution.releases.map((line) => line.contribution);
    expect(await contributionNow()).to.deep.equal([{ scoreWith: 50, scoreWithout: 0 }]);
    await deployed(here, { status: 'failure' });
    expect(await contributionNow()).to.deep.equal([{ scoreWith: 25, scoreWithout: 0 }]);
  });
  it('changes nothing else, and reads nothing where it counts for no release', async () => {
    const here = await releaseScene();
    const counted = await deployed(here);
    const weighed = await weighDeployment(here)(counted);
    const plain = weighed.attribution.releases.map((line) => ({ ...line, contribution: null }));
    expect({ ...weighed, attribution: { ...weighed.attribution, releases: plain } }).to.deep.equal(counted);
    const lookups = { ...here.lookups, dossier: () => Promise.reject(new Error('read')) };
    const open = await deployed(here, { status: 'started' });
    expect(await weighDeployment({ ...here, lookups })(open)).to.deep.equal(open);
  });
});
