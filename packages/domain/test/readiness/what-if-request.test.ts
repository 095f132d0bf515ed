import { expect } from 'chai';
import { changesOfRequest } from '../../src/readiness/index.js';

describe('changesOfRequest', () => {
  it('names only what is sent', () => {
    expect(changesOfRequest({})).to.deep.equal({});
    expect(changesOfRequest({ facts: {}, policy: {} })).to.deep.equal({ facts: {}, policy: {} });
    expect(changesOfRequest({ facts: { scope: { done: 1, total: 2 } } })).to.deep.equal({
      facts: { scope: { done: 1, total: 2 } },
    });
  });

  it('takes null for a statement, and reads moments', () => {
    expect(changesOfRequest({ facts: { verification: null }, policy: { environments: null } })).to.deep.equal({
      facts: { verification: null },
      policy: { environments: null },
    });
    expect(
      changesOfRequest({ facts: { verification: { passed: 1, total: 2, ran_at: '1970-01-01T00:00:01.000Z' } } }),
    ).to.deep.equal({ facts: { verification: { passed: 1, total: 2, ranAt: 1000 } } });
  });

  it('hands on every fact and every demand that is called the same', () => {
    const each = { scope: 1, quality: 2, ops: 3, verification: 4, stability: 5 };
    const same = {
      facts: {
        quality: { resolved: 1, total: 2, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
        ops: { done: 1, total: 2, openItems: ['Docs'] },
      },
      policy: { weights: each, threshold: 80, minimums: each, environments: ['eu'], verification: 'latest_per_suite' },
    } as const;
    expect(changesOfRequest(same)).to.deep.equal(same);
    expect(changesOfRequest({ facts: { verification: { passed: 1, total: 2 } } })).to.deep.equal({
      facts: { verification: { passed: 1, total: 2 } },
    });
  });

  it('names every demand as the engine does', () => {
    expect(
      changesOfRequest({
        facts: { stability: { succeeded: 1, failed: 2, in_progress: 3 } },
        policy: {
          required_axes: ['ops'],
          freshness_hours: 1,
          max_open_critical_bugs: 2,
          min_finished_deployments: 3,
          stability_bound: 'upper_bound',
          silence_hours: 4,
        },
      }),
    ).to.deep.equal({
      facts: { stability: { succeeded: 1, failed: 2, inProgress: 3 } },
      policy: {
        requiredAxes: ['ops'],
        freshnessHours: 1,
        maxOpenCriticalBugs: 2,
        minFinishedDeployments: 3,
        stabilityBound: 'upper_bound',
        silenceHours: 4,
      },
    });
  });
});
