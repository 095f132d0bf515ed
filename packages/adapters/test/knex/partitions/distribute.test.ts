import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { citus, postgres } from '../../../src/knex/dialect.js';
import { domainErrorOf } from '../../../src/knex/errors.js';
import { type Database, distributeTables, knexStores, openDatabase, partitionTables } from '../../../src/knex/index.js';
import type { Access } from '../../../src/knex/sql.js';
import { deploymentsContract } from '../../contract/deployments.contract.js';
import { factsContract } from '../../contract/facts.contract.js';
import { sourceFactsContract } from '../../contract/facts-sources.contract.js';
import { stabilityFactsContract } from '../../contract/facts-stability.contract.js';
import { verificationFactsContract } from '../../contract/facts-verification.contract.js';
import { firstDeploymentsContract } from '../../contract/first-deployments.contract.js';
import { keptRecordsContract } from '../../contract/kept-records.contract.js';
import { notCountedContract } from '../../contract/not-counted.contract.js';
import { type CompleteStores, openComplete } from '../../contract/open-stores.js';
import { reportsContract } from '../../contract/reports.contract.js';
import { finishContract } from '../../contract/reports-finish.contract.js';
import { reportKeysContract } from '../../contract/reports-keys.contract.js';
import { sampleId } from '../../contract/sample-records.js';
import { testRunsContract } from '../../contract/test-runs.contract.js';
import { openNew, withNew } from '../opened.js';

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => String(error),
  );

/** One PostgreSQL, asked as a cluster is: its statements have the same meaning there. */
const asCluster = (access: Access): Access => ({
  ...access,
  dialect: citus,
  atomically: (work) => access.atomically((inside) => work(asCluster(inside))),
});

/** Has the database say of one worker how many commits it has not ended, as a coordinator says it of each. */
const sayUndecided = async ({ access }: Database, commits: number): Promise<void> => {
  await access.write(`create or replace function run_command_on_workers(command text)
    returns table (nodename text, nodeport int, success boolean, result text)
    language sql as $$ select 'worker', 5432, true, '${commits}' $$`);
};

const openAsCluster = openComplete(async () => {
  const { url, database, close: remove } = await openNew('PostgreSQL');
  await sayUndecided(database, 0);
  const second = await openDatabase({ url });
  const close = async (): Promise<void> => {
    await second.close();
    await remove();
  };
  const storesOf = (one: Database) => knexStores({ ...one, access: asCluster(one.access) });
  return { stores: storesOf(database), again: storesOf(second), close };
}, []);

describe('PostgreSQL asked as a cluster is', function () {
  this.timeout(300_000);
  let current: CompleteStores | undefined;
  before(async () => {
    current = await openAsCluster();
  });
  after(() => current?.close());
  const opened = (): CompleteStores => {
    if (current === undefined) throw new Error('the stores are not open');
    return current;
  };
  for (const suite of [
    ...[deploymentsContract, firstDeploymentsContract, testRunsContract, notCountedContract, factsContract],
    ...[sourceFactsContract, stabilityFactsContract, verificationFactsContract, reportsContract, finishContract],
    reportKeysContract,
  ])
    suite(opened);
  keptRecordsContract(openAsCluster);
});

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
          // The statement fails after 1 ms if another transaction holds the lock.
          await inside.write(`set local lock_timeout = '1ms'`);
          return inside.write(citus.lockProjects?.[mode] ?? '', [postgres.list(ids)]);
        });
      await access.atomically(async (holder) => {
        await holder.write(citus.lockProjects?.shared ?? '', [postgres.list([one])]);
        await hold('shared', [other, one]);
        await hold('alone', [other]);
        expect(await refused(hold('alone', [other, one]))).to.match(/lock timeout/);
      });
      await hold('alone', [one]);
    }));

  it('lets readers of the coordinator wait until reports have committed everywhere', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const [one, other] = [sampleId(), sampleId()];
      const inTime = (statement: string | undefined, ids: readonly string[]): Promise<unknown> =>
        access.atomically(async (inside) => {
          await inside.write(`set local lock_timeout = '1ms'`);
          return inside.write(statement ?? '', [postgres.list(ids)]);
        });
      const { holdUntilWorkersCommit, waitForWorkers } = citus.cluster ?? {};
      await access.atomically(async (reporting) => {
        await reporting.write(holdUntilWorkersCommit ?? '', [postgres.list([one])]);
        await inTime(holdUntilWorkersCommit, [one, other]);
        await inTime(waitForWorkers, [other]);
        expect(await refused(inTime(waitForWorkers, [one]))).to.match(/lock timeout/);
      });
      await inTime(waitForWorkers, [one]);
    }));

  it('says of no record that it does not exist while a worker has not ended a commit', () =>
    withNew('PostgreSQL', async ({ database }) => {
      const { deployments, testRuns, axisReports } = knexStores({ ...database, access: asCluster(database.access) });
      const id = sampleId();
      const looks = [
        () => deployments.byIds([id]),
        () => testRuns.byIds([id]),
        () => axisReports.byIds([id]),
        async () => [await testRuns.byId(id)],
      ];
      await sayUndecided(database, 1);
      for (const look of looks)
        expect(await look().catch((error: unknown) => error)).to.have.property('code', 'unavailable');
      await sayUndecided(database, 0);
      for (const look of looks) expect(await look()).to.deep.equal([undefined]);
    }));

  it('is known once the database was reached', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      await access.reached();
      expect(access.reached()).to.equal(null);
      expect(access.dialect).to.equal(postgres);
    }));

  it('is unavailable while a node is lost in the middle of a statement or a commit', () => {
    const where = 'while executing command on 127.0.0.1:5621';
    for (const message of [
      'server closed the connection unexpectedly',
      'SSL SYSCALL error: EOF detected\ninvalid socket',
      'SSL error: unexpected eof while reading',
      'could not receive data from server: Connection reset by peer',
      'could not send data to server: Broken pipe',
      '',
    ])
      expect(domainErrorOf({ code: 'XX000', message, where }), message).to.have.property('code', 'unavailable');
    for (const message of [
      'postmaster was shut down, exiting',
      'failure on connection marked as essential: 127.0.0.1:5621',
      "failed to prepare transaction 'citus_0_17_4_0' on host 127.0.0.1:5621",
      'could not commit transaction for shard 102013 on at least one active node',
      'execution cannot recover from multiple connection failures. Last node failed 127.0.0.1:5621',
    ])
      expect(domainErrorOf({ code: 'XX000', message }), message).to.have.property('code', 'unavailable');
    const fault = { code: 'XX000', message: 'cache lookup failed for type 17', where };
    expect(domainErrorOf(fault)).to.equal(fault);
  });

  it('leaves a broken constraint the meaning it has on a table in one piece', () => {
    for (const broken of [
      Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'users_email_102008' }),
      Object.assign(new Error('duplicate key value violates unique constraint "users_email_102008"'), {
        code: '23505',
      }),
    ]) {
      const meaning = domainErrorOf(broken);
      expect(meaning).to.be.an.instanceOf(DomainError);
      expect((meaning as DomainError).code).to.equal('email-taken');
    }
  });
});
