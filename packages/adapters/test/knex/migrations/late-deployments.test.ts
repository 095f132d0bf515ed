import { expect } from 'chai';
import { partitionTables } from '../../../src/knex/index.js';
import { lateDeployments } from '../../../src/knex/migrations/late-deployments.js';
import { HOUR, NOON } from '../../contract/sample-records.js';
import { storedDeployment, storedProject, storedRelease } from '../../contract/sample-world.js';
import { withNew } from '../opened.js';
import { takeAgain } from './older-data.js';

const ALL = { limit: 50, after: null };

describe('the step for late deployments', () => {
  for (const kind of ['SQLite', 'PostgreSQL', 'PostgreSQL in partitions'] as const)
    it(`finds those that were stored before, on ${kind}`, () =>
      withNew(kind === 'SQLite' ? kind : 'PostgreSQL', async ({ stores, database }) => {
        const { project } = await storedProject(stores);
        const shipped = { state: 'shipped', startsAt: NOON - HOUR, shippedAt: NOON + HOUR } as const;
        await storedRelease(stores, project.id, shipped);
        const store = (startedAt: number, createdAt: number, finishedAt = startedAt) =>
          storedDeployment(stores, project.id, { status: 'success', startedAt, createdAt, finishedAt });
        await store(NOON, NOON);
        const reported = await store(NOON + 1, NOON + HOUR);
        const finished = await store(NOON + 2, NOON + 2, NOON + 2 * HOUR);
        if (kind === 'PostgreSQL in partitions') await partitionTables(database, NOON);
        await database.access.write('drop index deployments_late');
        await database.access.write('alter table deployments drop column late');
        await takeAgain(database, lateDeployments);
        const { rows } = await stores.deployments.notCounted(project.id, null, ALL);
        expect(rows.map(({ id }) => id)).to.deep.equal([finished.id, reported.id]);
        const later = await store(NOON + 3, NOON + HOUR);
        const [newest] = (await stores.deployments.notCounted(project.id, null, ALL)).rows;
        expect(newest?.id).to.equal(later.id);
      }));
});
