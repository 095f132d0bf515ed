import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import pg from 'pg';
import { type Database, migrate, openDatabase, type ReachedServer } from '../../../src/knex/index.js';
import { addressOf } from '../../../src/knex/postgres/reach.js';
import { freePort } from '../../postgres/embedded-postgres.js';
import { type FollowedServer, startFollowed } from '../../postgres/followed.js';
import { testDatabase } from '../../test-database.js';

describe('the address of a PostgreSQL database', () => {
  it('names one server or several, each with its port, and which will do', () => {
    expect(addressOf('postgres://u:p@db/x?sslmode=require')).to.deep.equal({
      urls: ['postgres://u:p@db/x?sslmode=require'],
      wanted: 'any',
    });
    expect(addressOf('postgresql://u:p%40@a:5433,[::1]:5434,b/x')).to.deep.equal({
      urls: ['postgresql://u:p%40@a:5433/x', 'postgresql://u:p%40@[::1]:5434/x', 'postgresql://u:p%40@b/x'],
      wanted: 'read-write',
    });
    const named = ['?target_session_attrs=standby', '?a=1&target_session_attrs=standby&b=2'];
    expect(named.map((behind) => addressOf(`postgres://a,b/x${behind}`))).to.deep.equal([
      { urls: ['postgres://a/x', 'postgres://b/x'], wanted: 'standby' },
      { urls: ['postgres://a/x?a=1&b=2', 'postgres://b/x?a=1&b=2'], wanted: 'standby' },
    ]);
    expect(addressOf('postgres://a,b/x', 'any', 'standby').wanted).to.equal('standby');
    expect(addressOf('postgres://a/x', 'any', 'standby').wanted).to.equal('any');
    expect(addressOf('postgres:///x?host=/var/run/postgresql').urls).to.have.length(1);
    expect(addressOf('postgres://db/x', 'read-write').wanted).to.equal('read-write');
    expect(addressOf('postgres://db/x?target_session_attrs=any', 'read-write').wanted).to.equal('any');
  });

  it('is refused when it is none, without a word of what is in it', () => {
    for (const url of ['postgres://u:hunter2@a,,b/x', 'postgres://u:hunter2@a:b:c/x', 'postgres:x'])
      expect(() => addressOf(url), url)
        .to.throw(DomainError, 'The address of a PostgreSQL database is')
        .with.property('message')
        .that.does.not.include('hunter2');
    expect(() => addressOf('postgres://a,b/x?target_session_attrs=prefer-standby')).to.throw(
      'target_session_attrs must be one of any, read-write, read-only, primary, standby, not prefer-standby.',
    );
  });
});

/** What the listener of a database was told. */
const watched = async (
  url: string,
  work: (database: Database, sofar: readonly string[]) => Promise<void>,
): Promise<readonly string[]> => {
  const told: string[] = [];
  const listener = {
    lost: (cause: string) => void told.push(`lost: ${cause}`),
    reached: ({ place, isPooled }: ReachedServer) => void told.push(`reached ${place}${isPooled ? ', pooled' : ''}`),
    passedOver: (place: string, cause: string) => void told.push(`passed over ${place}: ${cause}`),
  };
  const database = await openDatabase({ url, listener });
  await work(database, told).finally(() => database.close());
  return told;
};

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Says whether new connections to the database may only read. */
const onlyReads = async (url: string, on: boolean): Promise<void> => {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client
    .query(`alter database ${name} set default_transaction_read_only = ${on ? 'on' : 'off'}`)
    .finally(() => client.end());
};

describe('a PostgreSQL server that cannot be used', () => {
  it('is named with the cause, once', async () => {
    const port = await freePort();
    const told = await watched(`postgres://u:hunter2@127.0.0.1:${port}/x`, async (database) => {
      for (let times = 0; times < 3; times += 1) await failureOf(migrate(database));
      const failure = await failureOf(database.ready());
      expect(failure).to.have.nested.property('details.reason', 'ECONNREFUSED');
      expect(failure).to.have.nested.property(
        'details.cause',
        `127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
      );
    });
    expect(told).to.deep.equal([`lost: 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`]);
  });

  it('says what it has against the name, the password or the database', async () => {
    const { url, drop } = await testDatabase({ direct: true });
    const without = new URL(url);
    without.pathname = '/nowhere';
    const [lost = ''] = await watched(without.href, async (database) => {
      expect(await failureOf(database.ready())).to.have.nested.property('details.reason', '3D000');
    });
    expect(lost).to.equal(`lost: ${without.host}: database "nowhere" does not exist`);
    await drop();
  });

  it('is refused when the database only reads, also where the address allows it, and used once it takes changes', async () => {
    const { url, drop } = await testDatabase({ direct: true });
    const { host } = new URL(url);
    await onlyReads(url, true);
    const refused = async (database: Database, cause: string): Promise<void> => {
      for (const failure of [await failureOf(migrate(database)), await failureOf(database.ready())])
        expect(failure).to.be.instanceOf(DomainError).and.to.have.nested.property('details.cause', cause);
    };
    const told = await watched(url, async (database) => {
      await refused(database, `${host}: only reads`);
      await onlyReads(url, false);
      await migrate(database);
      await database.ready();
    });
    expect(told).to.deep.equal([`lost: ${host}: only reads`, `reached ${host}`]);
    await onlyReads(url, true);
    const allowed = await watched(`${url}?target_session_attrs=any`, (database) =>
      refused(database, 'the server of the database only reads'),
    );
    expect(allowed).to.deep.equal([`reached ${host}`]);
    await drop();
  });
});

describe('a database on several PostgreSQL servers', () => {
  let server: FollowedServer;
  let url: string;
  let readUrl: string;
  before(async () => {
    server = await startFollowed();
    ({ url, readUrl } = await server.database('reach'));
  });
  after(() => server.stop());

  /** The primary, a closed port and the standby, in that order. */
  const several = async (): Promise<string> => {
    const [primary, standby] = [new URL(url), new URL(readUrl)];
    return url.replace(primary.host, `${primary.host},127.0.0.1:${await freePort()},${standby.host}`);
  };
  const isStandby = async ({ access }: Database): Promise<boolean | undefined> =>
    (await access.read<{ on: boolean }>('select pg_is_in_recovery() as on'))[0]?.on;

  it('is reached where changes are taken, or where the address says', async () => {
    const hosts = await several();
    const wanted = { 'read-write': false, primary: false, standby: true, 'read-only': true };
    for (const [attribute, expected] of Object.entries(wanted))
      await watched(`${hosts}?target_session_attrs=${attribute}`, async (database) => {
        expect(await isStandby(database), attribute).to.equal(expected);
      });
    await watched(hosts, async (database) => {
      expect(await isStandby(database)).to.equal(false);
    });
  });

  it('is reached at one, and says of the others why they are not used', async () => {
    const hosts = await several();
    const [primary, closed, standby] = hosts.replace(/^.*@|\/[^/]*$/g, '').split(',');
    const told = await watched(hosts, async (database, sofar) => {
      while (sofar.length < 3) await isStandby(database);
    });
    expect(told).to.deep.equal([
      `reached ${primary}`,
      `passed over ${closed}: connect ECONNREFUSED ${closed}`,
      `passed over ${standby}: only reads`,
    ]);
  });

  it('is refused where the only server is a standby', async () => {
    const { host } = new URL(readUrl);
    const told = await watched(readUrl, async (database) => {
      expect(await failureOf(migrate(database))).to.have.nested.property('details.cause', `${host}: only reads`);
    });
    expect(told).to.deep.equal([`lost: ${host}: only reads`]);
  });

  it('goes on at the one that takes the place of the primary, without a new start', async () => {
    const hosts = await several();
    const told = await watched(hosts, async (database) => {
      const count = async () => (await database.access.write('delete from told_events returning 1')).length;
      expect(await count()).to.equal(0);
      await server.primary.stop();
      const failure = await failureOf(count());
      expect(failure).not.to.equal(undefined);
      expect(await failureOf(database.ready()))
        .to.have.nested.property('details.cause')
        .that.includes('only reads');
      await server.standby.command('select pg_promote()');
      for (;;) if ((await failureOf(count())) === undefined) break;
      expect(await isStandby(database)).to.equal(false);
    });
    expect(told.at(0)).to.equal(`reached ${new URL(url).host}`);
    expect(told.find((words) => words.startsWith('lost'))).to.match(
      /^lost: .*ECONNREFUSED.*; .*ECONNREFUSED.*; .*only reads$/,
    );
    expect(told).to.include(`reached ${new URL(readUrl).host}`);
  });
});
