import { expect } from 'chai';
import { openDatabase } from '../../../src/knex/database.js';
import { postgresConnections } from '../../../src/knex/postgres/connection.js';
import type { ReplicaLimits } from '../../../src/knex/postgres/replica.js';
import { replicaOf } from '../../../src/knex/postgres/replica.js';
import type { Access } from '../../../src/knex/sql.js';
import { knexReplica, knexStores } from '../../../src/knex/stores.js';
import { auditContract } from '../../contract/audit.contract.js';
import { deploymentsContract } from '../../contract/deployments.contract.js';
import { factsContract } from '../../contract/facts.contract.js';
import { verificationFactsContract } from '../../contract/facts-verification.contract.js';
import { historyContract } from '../../contract/history.contract.js';
import { historyPointsContract } from '../../contract/history-points.contract.js';
import { issuesContract } from '../../contract/issues.contract.js';
import { notCountedContract } from '../../contract/not-counted.contract.js';
import type { CompleteStores } from '../../contract/open-stores.js';
import { policyPreviewContract } from '../../contract/policy-preview.contract.js';
import { projectsContract } from '../../contract/projects.contract.js';
import { releasesContract } from '../../contract/releases.contract.js';
import { testRunsContract } from '../../contract/test-runs.contract.js';
import { type FollowedDatabase, type FollowedServer, startFollowed } from '../../postgres/followed.js';
import { command, startStandby } from '../../postgres/standby.js';
import { type Instance, opened, watch } from './replica/watched.js';

/** So patient that what is found out does not depend on how busy the machine is. */
const PATIENT = { waitMs: 10_000, readMs: 60_000 };

describe('a replica of PostgreSQL', () => {
  let server: FollowedServer;
  let where: FollowedDatabase;
  const instances: Instance[] = [];
  const open = async (elsewhere: Partial<FollowedDatabase> = {}): Promise<Instance> => {
    const instance = await opened({ ...where, ...elsewhere });
    instances.push(instance);
    return instance;
  };
  /** With limits of its own. */
  const patient = async (limits: ReplicaLimits, { url, readUrl } = where) => {
    const database = await openDatabase({ url });
    const pool = postgresConnections({
      url: readUrl,
      onlyReads: true,
      connections: 2,
      waitMs: 10_000,
      statementMs: PATIENT.readMs,
    });
    const close = async (): Promise<void> => {
      await pool.destroy();
      await database.close();
    };
    return { ...watch(database, replicaOf(database.access, pool, limits)), database, close };
  };
  /** Reads until the replica answers again. */
  const untilRead = async (instance: Instance): Promise<void> => {
    do {
      instance.seen();
      await instance.count();
    } while (instance.seen().replica !== 1);
  };

  before(async () => {
    server = await startFollowed();
    where = await server.database('counted');
    await command(where.url, 'create table counter (n integer); insert into counter values (0)');
  });
  afterEach(async () => {
    await Promise.all(instances.splice(0).map((instance) => instance.close()));
  });
  after(() => server?.stop());

  it('is found where its address names several servers', async () => {
    const [primary, standby] = [where.url, where.readUrl].map((url) => new URL(url).host);
    const reader = await open({ readUrl: where.readUrl.replace(`${standby}`, `${primary},${standby}`) });
    await untilRead(reader);
  });

  it('shows what any instance has stored, as soon as it is stored', async () => {
    const [writer, reader] = [await open(), await open()];
    await untilRead(reader);
    for (let n = 1; n <= 100; n += 1) {
      await writer.store(n);
      expect(await reader.count()).to.equal(n);
    }
    expect(reader.seen().replica, 'by the replica').to.be.above(0);
    expect(writer.seen()).to.deep.equal({});
  });

  it('shows many instances at once nothing older than what was stored when they asked', async () => {
    const several = await Promise.all(Array.from({ length: 4 }, () => open()));
    const [writer] = several;
    let stored = 0;
    await writer?.store(0);
    const write = async (): Promise<void> => {
      for (let n = 1; n <= 150; n += 1) {
        await writer?.store(n);
        stored = n;
      }
    };
    const read = async (instance: Instance): Promise<void> => {
      for (let last = 0; stored < 150; ) {
        const before = stored;
        const n = (await instance.count()) ?? -1;
        expect(n).to.be.at.least(Math.max(before, last));
        last = n;
      }
    };
    await Promise.all([write(), ...several.flatMap((instance) => [read(instance), read(instance)])]);
  });

  it('shows as much where commits do not wait until they are on disk', async () => {
    const hasty = await server.database('hasty');
    await command(server.primary.url, 'alter role service in database hasty set synchronous_commit = off');
    await command(hasty.url, 'create table counter (n integer); insert into counter values (0)');
    const { count, seen, database, close } = await patient(PATIENT, hasty);
    for (let n = 1; n <= 5; n += 1) {
      await database.access.write('update counter set n = ?', [n]);
      expect(await count()).to.equal(n);
    }
    expect(seen()).to.deep.equal({ replica: 5 });
    await close();
  });

  it('that replays nothing is left and looked at again, and no read is old', async () => {
    const [writer, reader] = [await open(), await open()];
    await untilRead(reader);
    await server.standby.command('select pg_wal_replay_pause()');
    for (let n = 1; n <= 20; n += 1) {
      await writer.store(n);
      expect(await reader.count()).to.equal(n);
    }
    const { behind = 0, failed = 0, ...others } = reader.seen();
    expect(behind + failed, 'failed where it was too slow to say so').to.equal(1);
    expect(others).to.include({ resting: 19 }).and.not.to.have.property('replica');
    expect(reader.replica.behindSeconds).not.to.equal(0);
    await server.standby.command('select pg_wal_replay_resume()');
    await untilRead(reader);
    expect(await reader.count()).to.equal(20);
    expect(reader.replica.behindSeconds).to.equal(0);
  });

  it('that is gone causes no failed read, and is read again when it is back', async () => {
    const [writer, reader] = [await open(), await open()];
    await untilRead(reader);
    await server.standby.kill();
    await writer.store(7);
    const read = await Promise.all(Array.from({ length: 20 }, () => reader.count()));
    expect(new Set(read)).to.deep.equal(new Set([7]));
    expect(reader.seen()).to.include({ 'unfit: failed': 1 }).and.not.to.have.property('replica');
    expect(reader.replica.behindSeconds).to.equal(null);
    const fresh = await open();
    expect(await fresh.count(), 'an instance that starts while the replica is gone').to.equal(7);
    await server.standby.restart();
    await untilRead(reader);
    await untilRead(fresh);
  });

  it('that ends a read because of what it has to take over leaves it to the primary, and stays in use', async () => {
    await command(where.url, 'update counter set n = 8');
    await server.standby.command('alter system set max_standby_streaming_delay = 0');
    await server.standby.command('select pg_reload_conf()');
    const { read, seen, close } = await patient(PATIENT);
    // The replica would answer after 30 s by itself; the primary does not sleep.
    const long = read(
      'select n, pg_is_in_recovery() as there, (select pg_sleep(30) where pg_is_in_recovery()) as slept from counter',
    );
    await server.standby.untilSeen(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`);
    // The effect of a removed row or a locked table on readers of the replica.
    await command(
      where.url,
      'begin; lock table counter in access exclusive mode; create table locked (n integer); commit',
    );
    expect(await long).to.deep.equal([{ n: 8, there: false, slept: null }]);
    expect(await read('select pg_is_in_recovery() as there')).to.deep.equal([{ there: true }]);
    expect(seen()).to.deep.equal({ given_up: 1, replica: 1 });
    await close();
  });

  it('is of no use, and no hindrance, where the primary cannot say how new it is', async () => {
    const database = await openDatabase(where);
    const pool = postgresConnections({
      url: where.readUrl,
      onlyReads: true,
      connections: 2,
      waitMs: 10_000,
      statementMs: 10_000,
    });
    const mute: Access = {
      ...database.access,
      read: (sql, bindings, name) =>
        name === 'log_position'
          ? Promise.reject(new Error('unknown function'))
          : database.access.read(sql, bindings, name),
    };
    const { read, seen } = watch({ ...database, access: mute }, replicaOf(mute, pool, PATIENT));
    for (let times = 0; times < 3; times += 1)
      expect(await read('select pg_is_in_recovery() as there')).to.deep.equal([{ there: false }]);
    expect(seen()).to.include({ failed: 1, 'unfit: failed': 1, resting: 2 });
    await pool.destroy();
    await database.close();
  });

  it('whose rows are late leaves them to the primary, and stays in use', async () => {
    const { read, seen, close } = await patient({ ...PATIENT, readMs: 50 });
    expect(await read('select pg_is_in_recovery() as there from pg_sleep(0.3)')).to.deep.equal([{ there: false }]);
    expect(seen()).to.deep.equal({ given_up: 1 });
    await close();
  });

  it('that has many reads to answer is waited for', async () => {
    const { read, seen, close } = await patient({ waitMs: 300, readMs: 10_000 });
    while (!seen().replica) await read('select 1');
    const reads = Array.from({ length: 20 }, () => read('select 1 from pg_sleep(0.1)'));
    await Promise.all(reads);
    // Two at a time take a second; on a busy machine a few may be given up, but none takes the others' turn for silence.
    const { replica, ...others } = seen();
    expect(others).to.not.have.any.keys('failed', 'unfit: failed', 'resting');
    expect(replica).to.be.greaterThan(10);
    await close();
  });

  it('is no other database, and not the primary itself', async () => {
    const other = await server.database('other');
    for (const readUrl of [where.url, other.url, other.readUrl]) {
      const reader = await open({ readUrl });
      await expectStranger(reader);
    }
  });

  it('that was promoted, or follows a former primary, is not read until it follows the new one', async () => {
    const second = await startStandby(server.primary);
    try {
      // It gets no further than the other standby: what it had beyond the promotion it could never give up.
      await second.command(`alter system set primary_conninfo = ''`);
      await second.command('select pg_reload_conf()');
      await second.untilAlone();
      const reader = await open();
      await untilRead(reader);
      await server.standby.command('select pg_promote()');
      await command(where.readUrl, 'update counter set n = -1');
      await expectStranger(reader);
      expect(await reader.count()).to.equal(8);

      const after = await open({ url: where.readUrl, readUrl: second.urlOf(where.url) });
      await expectStranger(after);
      expect(await after.count()).to.equal(-1);
      await second.command(`alter system set primary_conninfo = '${server.standby.source}'`);
      await second.command('select pg_reload_conf()');
      await server.standby.command('checkpoint');
      const from = performance.now();
      do {
        expect(performance.now() - from).to.be.below(150_000);
        after.seen();
        // It notes on disk where it is when it takes a checkpoint over.
        await second.command('checkpoint');
        expect(await after.count()).to.equal(-1);
      } while (after.seen().replica !== 1);
    } finally {
      await second.stop();
    }
  });

  /** It is found unfit at once, and so it is when it was looked at again. */
  const expectStranger = async (instance: Instance): Promise<void> => {
    const n = await instance.count();
    for (let looks = 0; looks < 3; looks += 1) {
      await new Promise((done) => setTimeout(done, 120));
      expect(await instance.count()).to.equal(n);
    }
    const { stranger = 0, failed = 0, ...others } = instance.seen();
    expect(stranger + failed, 'failed where it was too slow to be found a stranger').to.equal(1);
    expect(others).to.have.property('resting', 3);
    expect(others).not.to.have.property('replica');
  };
});

/** What the operations read that a replica may answer. */
const SUITES = [
  auditContract,
  projectsContract,
  policyPreviewContract,
  releasesContract,
  issuesContract,
  deploymentsContract,
  testRunsContract,
  notCountedContract,
  factsContract,
  verificationFactsContract,
  historyContract,
  historyPointsContract,
];

describe('the stores that read on a replica what another instance stores', () => {
  let server: FollowedServer | undefined;
  let current: CompleteStores | undefined;
  let databases = 0;
  let readThere = 0;
  let readHere = 0;

  /** What one instance stores on the primary is read back by another one on the replica. */
  const open = async (): Promise<CompleteStores> => {
    server ??= await startFollowed();
    databases += 1;
    const where = await server.database(`contract_${databases}`);
    const database = await openDatabase({ url: where.url });
    const second = await openDatabase(where);
    const replica = knexReplica(second);
    if (replica === null) throw new Error('no replica');
    replica.watch({
      read: (how) => {
        if (how === 'replica') readThere += 1;
        else readHere += 1;
      },
      changed: () => {},
    });
    return {
      stores: knexStores(database),
      again: { ...replica.stores, feed: second.feed },
      offers: () => true,
      close: async () => {
        await second.close();
        await database.close();
      },
    };
  };

  before(async () => {
    current = await open();
  });
  const opened = (): CompleteStores => {
    if (current === undefined) throw new Error('the stores are not open');
    return current;
  };
  for (const suite of SUITES) suite(opened);

  after(async () => {
    await current?.close();
    await server?.stop();
    expect(readThere, `and ${readHere} on the primary`).to.be.above(0);
  });
});
