import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sumsOf, type TableSum } from '@shipworthy/adapters/knex';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { createClient } from '@shipworthy/client';
import { expect } from 'chai';
import { type PersonThere, projectAt, setUpAt } from '../harness/people-of-process.js';
import { runProcess, type ServerProcess, startProcess } from '../harness/process.js';

const SETUP_TOKEN = 'a-token-for-administration';

const sumsIn = async (file: string): Promise<readonly TableSum[]> => {
  const database = await openDatabase({ url: `sqlite:${file}` });
  return sumsOf(database.access).finally(() => database.close());
};

/** Callers that report deployments until they are stopped; answers how many were acknowledged so far. */
const load = (url: string, apiKey: string) => {
  const client = createClient({ baseUrl: url, apiKey });
  const body = { app_name: 'checkout', environment: 'live', commit_sha: '0123abc', status: 'success' } as const;
  let stopped = false;
  let acknowledged = 0;
  const caller = async () => {
    while (!stopped) {
      await client.recordDeployment({ body });
      acknowledged += 1;
    }
  };
  const callers = Array.from({ length: 8 }, caller);
  return {
    acknowledged: () => acknowledged,
    stop: async () => {
      stopped = true;
      await Promise.all(callers);
    },
  };
};

describe('a server in use on a SQLite file', () => {
  let folder: string;
  let server: ServerProcess;
  let ada: PersonThere;
  let postgres: TestDatabase | undefined;
  const at = (name: string) => ({ SHIPWORTHY_DATA_DIR: join(folder, name), SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN });
  const file = (name: string) => join(folder, name, 'shipworthy.sqlite');
  const projects = async (url: string) =>
    (await ada.at(url).readPortfolio()).body.data.map(({ project }) => project.name);
  const until = async (condition: () => Promise<boolean> | boolean) => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    server = await startProcess(at('first'), ['--demo']);
    ada = await setUpAt(server.url, SETUP_TOKEN);
  });
  after(async () => {
    server.kill();
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the demo once there is an administrator', async () => {
    await until(async () => (await projects(server.url)).length > 0);
    expect(await projects(server.url)).to.deep.equal(['demo-shop']);
  });

  it('is backed up while it is written to: everything acknowledged before is in the copy, and all of it agrees', async () => {
    const { key } = await projectAt(ada.at(server.url), 'checkout');
    const reports = load(server.url, key);
    await until(() => reports.acknowledged() > 200);
    const before = reports.acknowledged();
    const { code, printed, complained } = await runProcess(['backup', join(folder, 'copy'), '--with-key'], at('first'));
    const during = reports.acknowledged() - before;
    await reports.stop();
    expect(code, complained).to.equal(0);
    expect(printed).to.contain(join(folder, 'copy.key'));
    expect(during, 'reports while the copy was written').to.be.above(20);
    const restored = await runProcess(['restore', join(folder, 'copy')], at('second'));
    expect(restored.code, restored.complained).to.equal(0);
    const sums = await sumsIn(file('second'));
    const database = await openDatabase({ url: `sqlite:${file('second')}` });
    const one = async (sql: string) => (await database.access.read<{ whole: number }>(sql))[0]?.whole ?? 0;
    const reported = await one(`select count(*) as whole from deployments where environment = 'live'`);
    const counted = await one(
      `select sum(success) as whole from deployment_counts where hours = 24 and environment = 'live'`,
    );
    await database.close();
    expect(reported).to.be.at.least(before).and.at.most(reports.acknowledged());
    expect(counted).to.equal(reported);
    await runProcess(['restore', join(folder, 'copy')], at('third'));
    expect(await sumsIn(file('third'))).to.deep.equal(sums);
    const keys = [file('first'), file('second')].map((path) => readFile(`${path}.key`, 'utf8'));
    expect(new Set(await Promise.all(keys)).size).to.equal(1);
  });

  it('is not overwritten by a backup that is there, nor by one that is put in its place while it runs', async () => {
    const again = await runProcess(['backup', join(folder, 'copy')], at('first'));
    expect([again.code, again.complained]).to.deep.equal([
      1,
      `Error: ${join(folder, 'copy')} is there already; a backup overwrites nothing.\n`,
    ]);
    const restored = await runProcess(['restore', join(folder, 'copy'), '--replace'], at('first'));
    expect([restored.code, restored.complained]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('Another process'),
    );
    const without = await runProcess(['backup', join(folder, 'bare')], at('first'));
    expect(without.printed)
      .to.contain('The secret key is not in it.')
      .and.contain(`${file('first')}.key`);
    expect(existsSync(join(folder, 'bare.key'))).to.equal(false);
  });

  it('goes on from the restored copy with the same people, and is not given a second demo', async () => {
    const second = await startProcess(at('second'), ['--demo']);
    try {
      expect(await projects(second.url)).to.deep.equal(['demo-shop', 'checkout']);
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(await projects(second.url)).to.deep.equal(['demo-shop', 'checkout']);
      await ada.at(second.url).removeDemo();
      expect(await projects(second.url)).to.deep.equal(['checkout']);
    } finally {
      expect(await second.end()).to.equal(0);
    }
    const refused = await runProcess(['restore', join(folder, 'copy')], at('second'));
    expect([refused.code, refused.complained]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('--replace'),
    );
    const replaced = await runProcess(['restore', join(folder, 'copy'), '--replace'], at('second'));
    expect(replaced.printed).to.match(/What was there is kept as .*\.before-/);
    expect(await sumsIn(file('second'))).to.deep.equal(await sumsIn(file('third')));
  });

  it('is copied to PostgreSQL once it is stopped, and works there with the same key and the same people', async () => {
    postgres = await testDatabase({ empty: true });
    const running = await runProcess(['copy-to', postgres.url], at('first'));
    expect(running.code).to.equal(1);
    expect(running.complained).to.contain('Another process');
    expect(await server.end()).to.equal(0);
    const target = { SHIPWORTHY_COPY_TO_URL: postgres.url };
    const { code, printed, complained } = await runProcess(['copy-to'], { ...at('first'), ...target });
    expect([code, complained]).to.deep.equal([0, '']);
    for (const { table, rows, checksum } of await sumsIn(file('first')))
      expect(printed).to.match(new RegExp(`^${table} +${rows} ${checksum}$`, 'm'));
    expect(printed).to.contain(`SHIPWORTHY_SECRET_KEY_FILE=${file('first')}.key`);
    const twice = await runProcess(['copy-to', postgres.url], at('first'));
    expect([twice.code, twice.complained]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('not empty'),
    );
    const there = await startProcess({
      DATABASE_URL: postgres.url,
      SHIPWORTHY_SECRET_KEY_FILE: `${file('first')}.key`,
    });
    try {
      expect(await projects(there.url)).to.deep.equal(['demo-shop', 'checkout']);
      const backup = { DATABASE_URL: postgres.url, SHIPWORTHY_SECRET_KEY_FILE: `${file('first')}.key` };
      const refused = await runProcess(['backup', 'x.dump'], backup);
      expect([refused.code, refused.complained]).to.satisfy(
        ([code, text]: [number, string]) =>
          code === 2 && text.includes('pg_dump --format=custom --file=x.dump "$DATABASE_URL"'),
      );
    } finally {
      await there.end();
    }
  });
});
