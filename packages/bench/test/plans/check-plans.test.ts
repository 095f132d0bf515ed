import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { expect } from 'chai';
import { checkPlans, effortOf, explaining, type PlanNode } from '../../src/plans/check-plans.js';
import { type CrowdedPlace, crowdedPlace, LEAST_ROWS } from '../../src/plans/crowded-project.js';

describe('the plans of the hot paths', () => {
  let at: TestDatabase;
  let crowded: CrowdedPlace;

  before(async () => {
    at = await testDatabase({ empty: true });
    crowded = await crowdedPlace(at.url, LEAST_ROWS);
  });
  after(async () => {
    await crowded?.database.close();
    await at?.drop();
  });

  it('read no big table from end to end, nor much more than they answer', async () => {
    const { database, place, big } = crowded;
    expect([...big]).to.include.members(['deployments', 'test_runs', 'idempotency']);
    const findings = await checkPlans(database, place, big);
    expect(findings.length).to.be.greaterThan(150);
    expect(
      findings.filter(({ fault }) => fault !== null).map(({ title, fault, sql }) => [title, fault, sql]),
    ).to.deep.equal([]);
  });

  it('would be told of when an index is missing, and leave nothing behind', async () => {
    const { database, place } = crowded;
    const rows = 'select count(*) as count from deployments';
    const before = await database.access.read(rows);
    const scanned: string[] = [];
    const access = explaining(
      database.access,
      () => true,
      ({ effort }) => void scanned.push(...effort.scanned),
    );
    await access.read('select id from deployments where commit_sha = ?', ['none']);
    expect(scanned).to.deep.equal(['deployments']);
    await database.access.atomically(async (inside) => {
      await explaining(
        inside,
        () => true,
        () => undefined,
      ).read('select id from deployments limit 1', [], 'some');
      await inside.write('update deployments set url = null where id = ?', [place.deploymentIds[0] ?? '']);
    });
    expect(await database.access.read(rows)).to.deep.equal(before);
  });
});

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
