import { expect } from 'chai';
import { count, recount } from '../../src/memory/deployments.js';
import { emptyTables, hourOf, keyOf } from '../../src/memory/tables.js';
import { NOON, sampleDeployment, sampleId } from '../contract/sample-records.js';

const projectId = sampleId();
const KEPT = {
  projectId,
  environment: 'production',
  day: hourOf(NOON),
  started: 1,
  success: 0,
  failure: 0,
  returned: 0,
};

/** Tables with one deployment, counted or not. */
const withOneDeployment = (counted: boolean) => {
  const tables = emptyTables();
  const deployment = sampleDeployment(projectId);
  tables.deployments.put(deployment.id, deployment);
  if (counted) count(tables, deployment, 1);
  return tables;
};

describe('hourly counts', () => {
  it('differ in nothing when every row was counted', () => {
    expect(recount(withOneDeployment(true))).to.deep.equal([]);
  });

  it('show rows that were never counted, and counts without rows', () => {
    expect(recount(withOneDeployment(false))).to.deep.equal([{ kept: null, recounted: KEPT }]);
    const tables = emptyTables();
    count(tables, sampleDeployment(projectId), 1);
    expect(recount(tables)).to.deep.equal([{ kept: KEPT, recounted: null }]);
  });

  it('show a difference in any of the counts', () => {
    for (const status of ['started', 'success', 'failure', 'returned'] as const) {
      const tables = withOneDeployment(true);
      const wrong = { ...KEPT, [status]: KEPT[status] + 1 };
      tables.hourlyCounts.put(keyOf(projectId, KEPT.environment, KEPT.day), wrong);
      expect(recount(tables)).to.deep.equal([{ kept: wrong, recounted: KEPT }]);
    }
  });
});
