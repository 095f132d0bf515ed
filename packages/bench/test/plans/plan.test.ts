import { expect } from 'chai';
import { effortOf, type PlanNode } from '../../src/plans/plan.js';

const isBig = (table: string): boolean => table !== 'policies';

const scan = (over: Partial<PlanNode>): PlanNode => ({
  'Node Type': 'Index Scan',
  'Relation Name': 'deployments',
  'Index Name': 'deployments_newest',
  'Actual Rows': 2,
  'Actual Loops': 1,
  ...over,
});

describe('the effort of a plan', () => {
  it('counts rows looked at in all loops, with those that were looked at in vain, of big tables only', () => {
    const root = {
      'Node Type': 'Nested Loop',
      'Actual Rows': 4,
      'Actual Loops': 1,
      'Shared Hit Blocks': 7,
      'Shared Read Blocks': 3,
      Plans: [
        scan({ 'Actual Loops': 5, 'Rows Removed by Filter': 3 }),
        scan({ 'Actual Loops': 0, 'Node Type': 'Seq Scan', 'Relation Name': 'test_runs' }),
        scan({ 'Node Type': 'Seq Scan', 'Relation Name': 'policies', 'Actual Rows': 900 }),
      ],
    };
    expect(effortOf(root, isBig)).to.deep.equal({
      rows: 4,
      looked: 25,
      pages: 10,
      scanned: [],
      indexes: ['deployments_newest'],
    });
  });

  it('names the big tables that were read from end to end, and the indexes a conflict was looked up in', () => {
    const root = {
      'Node Type': 'ModifyTable',
      'Actual Rows': 0,
      'Actual Loops': 1,
      'Conflict Arbiter Indexes': ['idempotency_pkey'],
      Plans: [{ 'Node Type': 'Seq Scan', 'Relation Name': 'test_runs', 'Actual Rows': 50, 'Actual Loops': 1 }],
    };
    expect(effortOf(root, isBig)).to.deep.equal({
      rows: 50,
      looked: 50,
      pages: 0,
      scanned: ['test_runs'],
      indexes: ['idempotency_pkey'],
    });
  });
});
