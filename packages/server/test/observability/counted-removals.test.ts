import { expect } from 'chai';
import { countedRemovals } from '../../src/observability/counted-removals.js';
import { createMetrics } from '../../src/observability/metrics.js';

describe('countedRemovals', () => {
  it('adds up what was removed, each kind by itself', () => {
    const metrics = createMetrics();
    try {
      const note = countedRemovals(metrics);
      expect(metrics.text()).to.contain('shipworthy_removed_deployments_total 0\n');
      note({ deployments: 5, testRuns: 0 });
      note({ deployments: 2, testRuns: 3 });
      expect(metrics.text()).to.contain('shipworthy_removed_deployments_total 7\n');
      expect(metrics.text()).to.contain('shipworthy_removed_test_runs_total 3\n');
    } finally {
      metrics.stop();
    }
  });
});
