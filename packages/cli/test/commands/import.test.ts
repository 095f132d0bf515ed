import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { HEADER, rows } from '../import/past-files.js';
import { newProject, type ReleasePath } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, type StandInOptions, standIn } from '../stand-in.js';

describe('shipworthy import', () => {
  let service: Service;
  let name: string;
  let path: ReleasePath;
  const worlds: StandIn[] = [];
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    ({ name, path } = await newProject(service));
  });
  afterEach(async () => {
    for (const world of worlds.splice(0)) {
      expect(world.out() + world.err()).not.to.contain(service.key);
      await world.remove();
    }
  });
  const settings = () => ({ SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name });
  const worldWith = async (lines: readonly string[], options: StandInOptions = {}, file = 'past.csv') => {
    const world = await standIn({ env: settings(), ...options });
    worlds.push(world);
    await writeFile(join(world.folder, file), `${lines.join('\n')}\n`);
    return world;
  };
  const stored = async () => {
    const found = [];
    for await (const row of service.person.pages.listDeployments({ path, query: { limit: 200 } })) found.push(row);
    return found;
  };

  it('imports deployments in batches, says where they are, and takes nothing twice', async () => {
    const world = await worldWith([HEADER, ...rows(2300)]);
    const { exit, out } = await runIn(world, 'import', 'deployments', 'past.csv');
    expect(exit).to.equal(0);
    expect(out).to.equal(
      `2300 created, 0 there already, 0 refused of 2300 rows\n${service.url}/teams/${path.team_id}/projects/${path.project_id}/deployments\n`,
    );
    const again = await runIn(world, 'import', 'deployments', 'past.csv', '--json');
    expect(again.json().data).to.include({ rows: 2300, created: 0, duplicates: 2300, refused: 0, kind: 'deployments' });
    const all = await stored();
    expect(all).to.have.length(2300);
    expect(all.at(-1)).to.include({ app_name: name, started_at: '2026-01-01T00:00:00.000Z', status: 'failure' });
  });

  it('imports test runs as NDJSON from standard input, equal ones each for itself', async () => {
    const ran_at = '2026-01-05T09:30:00Z';
    const run = JSON.stringify({ total: 3, passed: 3, failed: 0, suite: 'unit', version: null, ran_at });
    const stdin = `${run}\n${run}\n`;
    const argv = ['import', 'test-runs', '-', '--release', '1.0', '--map', 'suite=suite', '--ignore-others', '--json'];
    const first = await runIn(await worldWith([], { env: settings(), stdin }), ...argv);
    expect(first.json().data).to.include({ created: 2, duplicates: 0, refused: 0 });
    const second = await runIn(await worldWith([], { env: settings(), stdin }), ...argv);
    expect(second.json().data).to.include({ created: 0, duplicates: 2 });
    const { body } = await service.person.listTestRuns({ path, query: {} });
    expect(body.data.map(({ release_id, suite }) => [release_id, suite])).to.deep.equal([
      [path.release_id, 'unit'],
      [path.release_id, 'unit'],
    ]);
  });

  it('stores good rows, and names each refused one with its line and reasons', async () => {
    const [good = ''] = rows(1);
    const world = await worldWith([
      HEADER,
      good,
      'production,nothexa,done,yesterday,',
      'x,y',
      `${good}same`,
      `${good.replace('success', 'failure').replace('production', 'test')}same`,
    ]);
    const { exit, out, err } = await runIn(world, 'import', 'deployments', 'past.csv', '--refused', 'refused.ndjson');
    expect(exit).to.equal(2);
    expect(out).to.match(/^2 created, 0 there already, 3 refused of 5 rows\n/);
    expect(err)
      .to.contain('line 3: commit_sha: must be')
      .and.contain('status: must be one of started, success, failure');
    expect(err).to.contain('line 4: has 2 cells where the header has 5').and.contain('refused.ndjson');
    const refused = (await readFile(join(world.folder, 'refused.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(refused.map((line) => JSON.parse(line).line)).to.have.members([3, 4, 6]);
    const conflict = refused.map((line) => JSON.parse(line)).find(({ line }) => line === 6);
    expect(conflict).to.deep.include({
      record: {
        app_name: name,
        environment: 'test',
        commit_sha: 'abcdef000000',
        status: 'failure',
        started_at: '2026-01-01T00:00:00.000Z',
        external_id: 'same',
      },
    });
    expect(conflict.reasons[0]).to.contain('external id');
    expect(await stored()).to.have.length(2);
  });

  it('refuses deployments that do not say when they began, naming each row', async () => {
    const [one = '', two = '', three = ''] = rows(3);
    const without = (row: string) => row.replace(/2026-[^,]*/, '');
    const world = await worldWith([HEADER, one, without(two), without(three)]);
    const { exit, err } = await runIn(world, 'import', 'deployments', 'past.csv');
    expect(exit).to.equal(2);
    expect(err).to.contain('line 3: started_at: is missing').and.contain('line 4: started_at: is missing');
    expect(err).to.contain('--started-at now');
    expect(await stored()).to.have.length(1);
  });

  it('refuses a file without the column of times before anything is sent', async () => {
    const world = await worldWith(['environment,commit_sha,status', 'production,abcdef0,success']);
    const { exit, err } = await runIn(world, 'import', 'deployments', 'past.csv');
    expect(exit).to.equal(2);
    expect(err).to.contain('there is no column started_at').and.contain('--started-at now');
    expect(await stored()).to.have.length(0);
  });

  it('takes the moment of rows without one from --started-at, which may be now', async () => {
    const header = 'environment,commit_sha,status,started_at';
    const lines = [header, 'production,abcdef0,success,', 'production,abcdef1,success,2026-01-01T00:00:00Z'];
    const world = await worldWith(lines);
    const at = ['--started-at', '2025-12-31T12:00:00+02:00'];
    expect((await runIn(world, 'import', 'deployments', 'past.csv', ...at)).exit).to.equal(0);
    expect((await stored()).map(({ started_at }) => started_at)).to.deep.equal([
      '2026-01-01T00:00:00.000Z',
      '2025-12-31T10:00:00.000Z',
    ]);
    const before = Date.now();
    const withoutColumn = await worldWith(['environment,commit_sha,status', 'production,abcdef2,success']);
    for (const created of [1, 0]) {
      const { json } = await runIn(withoutColumn, 'import', 'deployments', 'past.csv', '--json', '--started-at', 'now');
      expect(json().data).to.include({ created, refused: 0 });
    }
    expect(Date.parse((await stored())[0]?.started_at ?? '')).to.be.at.least(before);
    expect((await runIn(world, 'import', 'deployments', 'past.csv', '--started-at', 'yesterday')).exit).to.equal(2);
  });

  it('refuses test runs that do not say when they ran, unless --ran-at does', async () => {
    const lines = ['{"total": 3, "passed": 3, "failed": 0}', '{"total": 3, "passed": 3, "failed": 0, "ran_at": null}'];
    const world = await worldWith(lines, {}, 'runs.ndjson');
    const { exit, err } = await runIn(world, 'import', 'test-runs', 'runs.ndjson');
    expect(exit).to.equal(2);
    expect(err).to.contain('line 1: ran_at: is missing').and.contain('line 2: ran_at: is missing');
    expect(err).to.contain('--ran-at now');
    const at = '2026-01-05T09:30:00.000Z';
    for (const moment of [at, 'now'])
      expect((await runIn(world, 'import', 'test-runs', 'runs.ndjson', '--ran-at', moment)).exit).to.equal(0);
    const { body } = await service.person.listTestRuns({ path, query: {} });
    expect(body.data.filter(({ ran_at }) => ran_at === at)).to.have.length(2);
    expect(body.data).to.have.length(4);
  });

  it('writes refused rows through no link that leads out of the folder', async () => {
    const elsewhere = await worldWith(['mine'], {}, 'profile');
    const world = await worldWith([HEADER, ...rows(2), 'too,few']);
    await symlink(join(elsewhere.folder, 'profile'), join(world.folder, 'refused.ndjson'));
    const { exit, err } = await runIn(world, 'import', 'deployments', 'past.csv', '--refused', 'refused.ndjson');
    expect(exit).to.equal(2);
    expect(err).to.contain('symbolic link');
    expect(await readFile(join(elsewhere.folder, 'profile'), 'utf8')).to.equal('mine\n');
    expect(await stored()).to.have.length(0);
  });

  it('writes no key to the file of refused rows, for any answer of the server', async () => {
    const telling: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/batch')) return response;
      const problem = { type: 'x', title: 'x', status: 422, detail: `not with ${service.key}` };
      return Response.json({ data: [{ index: 0, result: 'refused', problem }] });
    };
    const world = await worldWith([HEADER, ...rows(1)], { fetch: telling });
    await runIn(world, 'import', 'deployments', 'past.csv', '--refused', 'refused.ndjson');
    const written = await readFile(join(world.folder, 'refused.ndjson'), 'utf8');
    expect(written).to.contain('not with [hidden]').and.not.contain(service.key);
  });

  it('takes no more than twenty refusals to say', async () => {
    const world = await worldWith([HEADER, ...Array.from({ length: 30 }, () => 'x,y')]);
    const { err, json } = await runIn(world, 'import', 'deployments', 'past.csv', '--json');
    expect(err).to.contain('and 10 more');
    expect((json().data as { refusals: readonly unknown[] }).refusals).to.have.length(20);
  });

  it('sends nothing where the file itself is at fault', async () => {
    for (const [lines, argv, told] of [
      [[`${HEADER},colour`, `${rows(1)[0]}red`], [], 'no field takes colour'],
      [['environment,status', 'a,b'], [], 'there is no column commit_sha'],
      [[HEADER, ...rows(1500), 'production,"abc'], [], 'past.csv:1502: a quote is not closed'],
      [[HEADER], [], 'holds no row'],
      [[HEADER, ...rows(2)], ['--map', 'colour=x'], 'names no field'],
      [[HEADER, ...rows(2)], ['--refused', 'past.csv'], 'the file itself'],
      [[HEADER, ...rows(2)], ['--map', 'version=status', '--map', 'external_id=status'], 'names a column twice'],
      [[HEADER, ...rows(2)], ['--refused', 'no/such/folder'], 'cannot be written'],
      [[HEADER, ...rows(2)], ['--delimiter', 'ab'], 'Give one character'],
      [[HEADER, ...rows(2)], ['--format', 'xml'], 'csv, ndjson'],
      [[HEADER, ...rows(2)], ['--app', 'none'], 'No project is named none'],
    ] as const) {
      const { exit, err } = await runIn(await worldWith(lines), 'import', 'deployments', 'past.csv', ...argv);
      expect(exit, told).to.equal(2);
      expect(err).to.contain(told);
    }
    expect((await runIn(await worldWith([]), 'import', 'deployments', 'none.csv')).exit).to.equal(2);
    expect((await runIn(await worldWith([]), 'import', 'deployments', '.')).exit).to.equal(2);
    expect(await stored()).to.have.length(0);
  });

  // Linux only: a file that root may open, too, and that cannot be read from its beginning.
  if (existsSync('/proc/self/mem'))
    it('ends with 2 where the file can be opened, but not read', async () => {
      const { exit, err } = await runIn(await worldWith([]), 'import', 'deployments', '/proc/self/mem');
      expect([exit, err.includes('/proc/self/mem cannot be read (EIO)')], err).to.deep.equal([2, true]);
    });

  it('shows the first request in a dry run, with the key hidden, and sends nothing', async () => {
    const world = await worldWith([HEADER, ...rows(3), 'x,y']);
    const { exit, out, err } = await runIn(world, 'import', 'deployments', 'past.csv', '--dry-run');
    expect(exit).to.equal(0);
    expect(err).to.contain('4 rows, of which 1 would be refused here already');
    expect(out).to.contain(`POST ${service.url}/api/deployments/batch`).and.contain('Bearer [hidden]');
    expect(await stored()).to.have.length(0);
  });

  it('ends with 4 for a key that may not write, and needs no more than that to import', async () => {
    const reader = { ...settings(), SHIPWORTHY_API_KEY: await service.keyFor('read') };
    const { exit } = await runIn(
      await worldWith([HEADER, ...rows(3)], { env: reader }),
      'import',
      'deployments',
      'past.csv',
    );
    expect(exit).to.equal(4);
    const writer = { ...settings(), SHIPWORTHY_API_KEY: await service.keyFor('deployments:write') };
    const world = await worldWith([HEADER, ...rows(3)], { env: writer });
    expect((await runIn(world, 'import', 'deployments', 'past.csv')).exit).to.equal(0);
  });
});
