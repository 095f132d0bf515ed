import type { RemovedCount } from '@shipworthy/domain';
import type { Metrics } from './metrics.js';

/** Counts the records that this instance removes because they are older than they are kept. */
export const countedRemovals = (metrics: Metrics): ((removed: RemovedCount) => void) => {
  const count = (kind: string) =>
    metrics.counter(`removed_${kind}_total`, `Removed by this instance because they were older than they are kept.`);
  const [deployments, testRuns] = [count('deployments'), count('test_runs')];
  return (removed) => {
    deployments(removed.deployments);
    testRuns(removed.testRuns);
  };
};
