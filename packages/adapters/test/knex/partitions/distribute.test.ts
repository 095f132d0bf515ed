import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { citus, postgres } from '../../../src/knex/dialect.js';
import { translated } from '../../../src/knex/errors.js';
import { distributeTables, partitionTables } from '../../../src/knex/index.js';
import { sampleId } from '../../contract/sample-records.js';
import { withNew } from '../opened.js';

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => String(error),
  );

/** The test database is no cluster; `npm run test:citus` distributes. */
describe('distributing tables', () => {
  it('is refused where there is no cluster', async () => {
    await withNew('SQLite', async ({ database }) => {
      expect(await refused(distributeTables(database))).to.match(/Only PostgreSQL distributes/);
    });
    await withNew('PostgreSQL', async ({ database }) => {
      expect(await refused(distributeTables(database))).to.match(/no extension citus: install it on all nodes/);
      expect(await partitionTables(database)).to.equal(true);
      expect(await refused(distributeTables(database))).to.match(/no extension citus/);
    });
  });

  it('lets projects be held by their numbers: shared by many, or by one alone', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const [one, other] = [sampleId(), sampleId()];
      const hold = (mode: 'alone' | 'shared', ids: readonly string[]): Promise<unknown> =>
        access.atomically(async (inside) => {
          // Waits for nobody: a lock that is held is refused.
          await inside.write(`set local lock_timeout = '1ms'`);
          return inside.write(citus.holdProjects?.[mode] ?? '', [postgres.list(ids)]);
        });
      await access.atomically(async (holder) => {
        await holder.write(citus.holdProjects?.shared ?? '', [postgres.list([one])]);
        await hold('shared', [other, one]);
        await hold('alone', [other]);
        expect(await refused(hold('alone', [other, one]))).to.match(/lock timeout/);
      });
      await hold('alone', [one]);
    }));

  it('leaves a broken constraint the meaning it has on a table in one piece', () => {
    for (const broken of [
      Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'users_email_102008' }),
      Object.assign(new Error('duplicate key value violates unique constraint "users_email_102008"'), {
        code: '23505',
      }),
    ]) {
      const meaning = translated(broken);
      expect(meaning).to.be.an.instanceOf(DomainError);
      expect((meaning as DomainError).code).to.equal('email-taken');
    }
  });
});
