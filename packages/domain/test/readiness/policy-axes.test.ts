import { expect } from 'chai';
import { AXES } from '../../src/readiness/axis.js';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import { axesOfPolicy } from '../../src/readiness/policy-axes.js';

const axes = (changes: Partial<Policy>) => axesOfPolicy(DEFAULT_POLICY, { ...DEFAULT_POLICY, ...changes });

describe('The axes a change of the policy concerns', () => {
  it('are those whose weight, minimum or requirement is another one', () => {
    for (const axis of AXES) {
      expect(axes({ weights: { ...DEFAULT_POLICY.weights, [axis]: 7 } })).to.deep.equal([axis]);
      expect(axes({ minimums: { ...DEFAULT_POLICY.minimums, [axis]: 7 } })).to.deep.equal([axis]);
      expect(axes({ requiredAxes: AXES.filter((each) => each !== axis) })).to.deep.equal([axis]);
    }
  });
  it('are those whose own demands are other ones', () => {
    expect(axes({ maxOpenCriticalBugs: 1 })).to.deep.equal(['quality']);
    expect(axes({ freshnessHours: 1 })).to.deep.equal(['verification']);
    expect(axes({ verification: 'latest_per_suite' })).to.deep.equal(['verification']);
    expect(axes({ environments: ['production'] })).to.deep.equal(['stability']);
    expect(axes({ minFinishedDeployments: 2 })).to.deep.equal(['stability']);
    expect(axes({ stabilityBound: 'upper_bound' })).to.deep.equal(['stability']);
  });
  it('are none where only the threshold or nothing is another one', () => {
    expect(axes({ threshold: 1, silenceHours: 3 })).to.deep.equal([]);
    const { stabilityBound: _, ...older } = DEFAULT_POLICY;
    expect(axesOfPolicy(older, DEFAULT_POLICY)).to.deep.equal([]);
    expect(axesOfPolicy(DEFAULT_POLICY, older)).to.deep.equal([]);
  });
});
