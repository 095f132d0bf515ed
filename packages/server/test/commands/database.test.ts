import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { expect } from 'chai';
import { databaseLog, openStores } from '../../src/commands/database.js';
import { createLog } from '../../src/observability/log.js';
import { projectAt, setUpAt } from '../harness/people-of-process.js';
import { runProcess, type ServerProcess, startProcess } from '../harness/process.js';

const SETUP_TOKEN = 'a-token-for-partitions';
const DAY = 86_400_000;

describe('a server whose tables are partitioned while it runs', () => {
  let database: TestDatabase;
  let server: ServerProcess | undefined;
  let environment: Readonly<Record<string, string>>;

  before(async () => {
    database = await testDatabase();
    environment = {
      DATABASE_URL: database.url,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
      SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN,
    };
  });
  after(async () => {
    server?.kill();
    await database?.drop();
  });

  it('goes on as before; what is older than records are kept was removed, and lists tell since when', async () => {
    server = await startProcess(environment);
    const ada = await setUpAt(server.url, SETUP_TOKEN);
    await projectAt(ada.at(server.url), 'checkout');
    const now = Date.now();
    const report = async (external_id: string, days: number) => {
      const started_at = new Date(now - days * DAY).toISOString();
      const body = { app_name: 'checkout', environment: 'live', commit_sha: '0123abc', status: 'success' } as const;
      return ada.at(server?.url ?? '').recordDeployment({ body: { ...body, started_at, external_id } });
    };
    await report('old', 40);
    const { data: first } = (await report('new', 1)).body;
    const [project] = (await ada.at(server.url).readPortfolio()).body.data;
    const path = { team_id: project?.team.id ?? '', project_id: project?.project.id ?? '' };
    const list = async () => (await ada.at(server?.url ?? '').listDeployments({ path })).body;
    expect((await list()).kept_since).to.equal(null);

    const opened = await openDatabase({ url: database.url });
    const before = Math.floor(Date.now() / DAY - 30) * DAY;
    await knexStores(opened).keptRecords.removeBefore(before, null).finally(opened.close);
    expect((await list()).kept_since).to.equal(new Date(before).toISOString());
    expect((await list()).data.map(({ id }) => id)).to.deep.equal([first.id]);

    const partitioned = await runProcess(['partition'], environment);
    expect([partitioned.code, partitioned.complained]).to.deep.equal([0, '']);
    expect(partitioned.printed).to.contain('are partitioned by months;');
    expect((await runProcess(['partition'], environment)).printed).to.contain('already');
    expect((await report('new', 1)).body.data.id).to.equal(first.id);
    await report('newer', 0);
    expect((await list()).data).to.have.lengthOf(2);
    expect(await server.end()).to.equal(0);
  });

  it('is nothing for SQLite', async () => {
    for (const word of ['partition', 'distribute']) {
      const { code, complained } = await runProcess([word], { SHIPWORTHY_DATA_DIR: '/nowhere' });
      expect(code).to.equal(2);
      expect(complained).to.contain('Only PostgreSQL');
    }
  });

  it('is not distributed: there is no cluster', async () => {
    const { code, complained } = await runProcess(['distribute'], environment);
    expect(code).to.equal(1);
    expect(complained).to.contain('Error: The database has no extension citus: install it on all nodes');
  });
});

/** A log, and what was written into it: level, message and fields of each line. */
const logged = () => {
  const texts: string[] = [];
  const log = createLog('info', async (text) => void texts.push(text), Date.now);
  const lines = async (): Promise<readonly object[]> => {
    await log.flush();
    return texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { time, ...rest } = JSON.parse(line);
        expect(time).to.be.a('string');
        return rest;
      });
  };
  return { log, lines };
};

describe('the servers of a database', () => {
  it('are in the log: the one that is used, and why another one is not', async () => {
    const database = await testDatabase({ direct: true });
    const { host } = new URL(database.url);
    const url = database.url.replace(host, `${host},127.0.0.1:1`);
    const { log, lines } = logged();
    const config = { kind: 'postgres', url, directUrl: null, readUrl: null } as const;
    const complained: string[] = [];
    const opened = await openStores(config, (words) => void complained.push(words), log);
    while ((await lines()).length < 2) await opened.database.ready();
    await opened.database.close();
    expect(await lines()).to.deep.equal([
      { level: 'info', message: 'database reached', server: host, pooler: false },
      {
        level: 'warn',
        message: 'database server is not used',
        server: '127.0.0.1:1',
        cause: 'connect ECONNREFUSED 127.0.0.1:1',
      },
    ]);
    expect(complained).to.deep.equal([]);
    await database.drop();
  });

  it('are warned of where a replica is set that a distributed database does not use', async () => {
    const server = { place: 'db-0:5432', isPooled: false };
    const warned = async (isCluster: boolean, hasReplica: boolean): Promise<readonly object[]> => {
      const { log, lines } = logged();
      databaseLog(log, hasReplica).reached({ ...server, isCluster });
      return (await lines()).slice(1);
    };
    expect(await warned(true, true)).to.deep.equal([
      {
        level: 'warn',
        message: 'DATABASE_READ_URL is not used: the database is distributed, and all reads go to its coordinator',
      },
    ]);
    for (const [isCluster, hasReplica] of [
      [true, false],
      [false, true],
    ] as const)
      expect(await warned(isCluster, hasReplica)).to.deep.equal([]);
  });

  it('are refused by the commands when they only read', async () => {
    const database = await testDatabase({ direct: true });
    const opened = await openDatabase({ url: database.url });
    const name = new URL(database.url).pathname.slice(1);
    await opened.access
      .write(`alter database ${name} set default_transaction_read_only = on`)
      .finally(() => opened.close());
    const { code, complained } = await runProcess(['migrate'], {
      DATABASE_URL: database.url,
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
    });
    expect(code).to.equal(1);
    expect(complained).to.contain(`${new URL(database.url).host}: only reads`);
    await database.drop();
  });
});
