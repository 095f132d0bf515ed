import { expect } from 'chai';
import { recountedFacts, sameCounting } from '../../src/readiness/index.js';
import { deployments, policy, READY, ready, testRun } from './sample-release.js';

const inEnvironments = (environments: readonly string[] | null) => policy({ environments });

describe('two policies', () => {
  it('count the same when they name the same environments, in any order, and verify the same way', () => {
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['us', 'eu']))).to.equal(true);
    expect(sameCounting(inEnvironments(null), policy({ threshold: 1, freshnessHours: 2 }))).to.equal(true);
  });

  it('count otherwise with one environment more or less, with all, and with the latest run of each suite', () => {
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['eu']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(['eu', 'us']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(['Eu']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['eu', 'asia']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(null))).to.equal(false);
    expect(sameCounting(policy({}), policy({ verification: 'latest_per_suite' }))).to.equal(false);
  });
});

describe('facts counted anew', () => {
  const anew = { ...READY, verification: testRun(1, 2), stability: deployments(1, 2), scope: { done: 0, total: 99 } };

  it('stay what they are where the policies count alike', () => {
    expect(recountedFacts(READY, policy({}), anew, policy({ threshold: 1 }))).to.deep.equal(READY);
  });

  it('take the deployments where environments differ, and the test runs where the way to verify does', () => {
    const deployed = recountedFacts(READY, policy({}), anew, inEnvironments(['eu']));
    expect(deployed).to.deep.equal(ready({ stability: anew.stability }));
    const verified = recountedFacts(READY, policy({}), anew, policy({ verification: 'latest_per_suite' }));
    expect(verified).to.deep.equal(ready({ verification: anew.verification }));
  });
});
