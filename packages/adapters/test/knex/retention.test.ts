import type { Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { knexStores, openDatabase } from '../../src/knex/index.js';
import { DAY, NOON } from '../contract/sample-records.js';
import { storedDeployments, storedProject } from '../contract/sample-world.js';
import { withNew } from './opened.js';

const EDGE = NOON - (NOON % DAY);
/** More than one portion. */
const OLD = 7_000;

const old = (count: number) => Array.from({ length: count }, (_, n) => ({ startedAt: EDGE - DAY - n * 1_000 }));

/** Removes all there is; answers how many. */
const removeAll = async (stores: Stores): Promise<number> => {
  let [gone, from] = [0, null as string | null];
  do {
    const { removed, next } = await stores.keptRecords.removeBefore(EDGE, from);
    gone += removed.reduce((sum, { deployments }) => sum + deployments, 0);
    from = next;
  } while (from !== null);
  return gone;
};

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe(`records kept for a time on ${kind}`, () => {
    it('go in portions, and the counts of their days stay', () =>
      withNew(kind, async ({ stores, database }) => {
        const { project } = await storedProject(stores);
        await storedDeployments(stores, project.id, old(OLD));
        const first = await stores.keptRecords.removeBefore(EDGE, null);
        expect(first.removed[0]?.deployments).to.equal(5_000);
        expect(await removeAll(stores)).to.equal(OLD - 5_000);
        const [counted] = await database.access.read<{ started: number }>(
          'select sum(started) as started from deployment_counts where hours = 24',
        );
        expect(counted?.started).to.equal(OLD);
      }));
  });

describe('several instances that remove old records', () => {
  it('remove each once, and what one was ended in the middle of goes with the next run', () =>
    withNew('PostgreSQL', async ({ stores, database, url }) => {
      const projects = [await storedProject(stores), await storedProject(stores), await storedProject(stores)];
      for (const { project } of projects) await storedDeployments(stores, project.id, old(OLD / 2));
      const other = await openDatabase({ url });
      try {
        const ended = knexStores(other).transaction(async (inside) => {
          expect((await inside.keptRecords.removeBefore(EDGE, null)).removed).to.have.lengthOf(1);
          // Another instance does not wait for this one: it takes the projects after it.
          expect((await stores.keptRecords.removeBefore(EDGE, null)).removed[0]?.projectId).not.to.equal(
            projects[0]?.project.id,
          );
          await database.access.read(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
              and state = 'idle in transaction' and pid <> pg_backend_pid()`,
          );
          await inside.projects.byId(projects[0]?.project.id ?? '');
        });
        await ended.then(
          () => expect.fail('a transaction without a connection went through'),
          (error: unknown) => expect(error).to.have.property('code', 'unavailable'),
        );
        const gone = await Promise.all([removeAll(stores), removeAll(knexStores(other))]);
        const left = await removeAll(stores);
        expect(gone[0] + gone[1] + left + OLD / 2).to.equal(projects.length * (OLD / 2));
        expect(await database.access.read('select id from deployments')).to.deep.equal([]);
        expect(await stores.deployments.recount()).to.deep.equal([]);
      } finally {
        await other.close();
      }
    }));
});
