import { expect } from 'chai';
import { changesOf } from '../../src/wire/what-if.js';

describe('changesOf', () => {
  it('names nothing that was not sent', () => {
    expect(changesOf({})).to.deep.equal({});
    expect(changesOf({ facts: {}, policy: {} })).to.deep.equal({ facts: {}, policy: {} });
    expect(changesOf({ policy: { environments: null, weights: { ops: 0 } } })).to.deep.equal({
      policy: { environments: null, weights: { ops: 0 } },
    });
  });

  it('reads every axis', () => {
    const scope = { done: 1, total: 2 };
    const quality = { resolved: 1, total: 1, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };
    const verification = { passed: 1, total: 2, ran_at: '1970-01-01T00:00:00.007Z' };
    const stability = { succeeded: 1, failed: 2, in_progress: 3 };
    expect(changesOf({ facts: { scope, quality, ops: scope, verification, stability } })).to.deep.equal({
      facts: {
        scope,
        quality,
        ops: scope,
        verification: { passed: 1, total: 2, ranAt: 7 },
        stability: { succeeded: 1, failed: 2, inProgress: 3 },
      },
    });
    expect(changesOf({ facts: { verification: null } })).to.deep.equal({ facts: { verification: null } });
    const undated = changesOf({ facts: { verification: { passed: 1, total: 2 } } });
    expect(undated).to.deep.equal({ facts: { verification: { passed: 1, total: 2 } } });
  });

  it('reads every demand', () => {
    const sent = {
      weights: { scope: 1 },
      threshold: 2,
      minimums: { ops: 3 },
      required_axes: ['ops'],
      environments: ['eu'],
      freshness_hours: 4,
      verification: 'latest_per_suite',
      max_open_critical_bugs: 5,
      min_finished_deployments: 6,
      stability_bound: 'upper_bound',
      silence_hours: 7,
    } as const;
    expect(changesOf({ policy: sent }).policy).to.deep.equal({
      weights: { scope: 1 },
      threshold: 2,
      minimums: { ops: 3 },
      requiredAxes: ['ops'],
      environments: ['eu'],
      freshnessHours: 4,
      verification: 'latest_per_suite',
      maxOpenCriticalBugs: 5,
      minFinishedDeployments: 6,
      stabilityBound: 'upper_bound',
      silenceHours: 7,
    });
  });
});
