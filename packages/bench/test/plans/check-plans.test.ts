import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { expect } from 'chai';
import { checkPlans } from '../../src/plans/check-plans.js';
import { type CrowdedPlace, crowdedPlace } from '../../src/plans/crowded-place.js';
import { explaining } from '../../src/plans/explained.js';

/** As few as still fill tables that are worth an index. */
const ROWS = 40_000;

describe('the plans of the hot paths', () => {
  let at: TestDatabase;
  let crowded: CrowdedPlace;

  before(async () => {
    at = await testDatabase({ empty: true });
    crowded = await crowdedPlace(at.url, ROWS);
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
