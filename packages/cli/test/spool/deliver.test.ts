import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '@shipworthy/client';
import { expect } from 'chai';
import { createScreen } from '../../src/output/screen.js';
import { deliver } from '../../src/spool/deliver.js';
import type { DeploymentEntry, SpoolEntry } from '../../src/spool/entry.js';
import { openSpool, type Spool } from '../../src/spool/spool.js';
import { failingFiles } from '../failing-files.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('deliver', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = createClient({ baseUrl: service.url, apiKey: service.key, retries: 0 });
  });
  after(() => service.stop());

  const path = () => ({ team_id: service.teamId, project_id: service.projectId });
  const deployments = async () => (await client.listDeployments({ path: path() })).body.data;
  const entry = (
    external_id: string,
    parts: Partial<DeploymentEntry['body']> = {},
    key = external_id,
  ): DeploymentEntry => ({
    operation: 'createDeployment',
    body: {
      app_name: 'checkout',
      environment: 'production',
      commit_sha: 'abcdef1',
      status: 'started',
      external_id,
      ...parts,
    },
    idempotencyKey: key,
    address: service.url,
    madeAt: 0,
  });
  const final = { status: 'failure', started_at: '2026-01-01T00:00:00.000Z', duration_seconds: 2 } as const;
  const testRun = (parts: object = {}): SpoolEntry => ({
    operation: 'recordTestRun',
    path: path(),
    body: { total: 2, passed: 2, failed: 0, external_id: 'run', ...parts },
    idempotencyKey: 'run',
    address: service.url,
    madeAt: 0,
  });
  const problemOf = (sending: Promise<unknown>) =>
    sending.then(
      () => 'sent',
      (error: { type: string }) => error.type,
    );

  it('stores a deployment once, however often it is sent', async () => {
    const first = await deliver(client, entry('once'));
    const again = await deliver(client, entry('once'));
    const underAnotherKey = await deliver(client, entry('once', {}, 'another-key'));
    expect(first.repeated).to.equal(false);
    expect(again).to.include({ id: first.id, repeated: true });
    expect(underAnotherKey.id).to.equal(first.id);
    expect(await deployments()).to.have.length(1);
  });

  it('ends a deployment whose beginning did arrive, instead of storing a second one', async () => {
    const { id } = await deliver(client, entry('begun'));
    const whole = await deliver(client, entry('begun', final, 'begun-end'));
    expect(whole).to.include({ id, repeated: true });
    expect(whole.record).to.include({ status: 'failure', duration_seconds: 2 });
    expect(await deliver(client, entry('begun', final, 'begun-end'))).to.include({ id });
    const ranAgain = await deliver(client, entry('begun', { ...final, duration_seconds: 3 }, 'begun-end'));
    expect(ranAgain.record).to.include({ id, duration_seconds: 2 });
  });

  it('stores the whole deployment when its start never arrived, and recognises a start that arrives later', async () => {
    const { id, record } = await deliver(client, entry('whole', final, 'whole-end'));
    expect(record).to.include({ status: 'failure', started_at: final.started_at });
    expect(await deliver(client, entry('whole'))).to.deep.equal({ outcome: 'sent', id, record: null, repeated: true });
  });

  it('sends again under a new key when the key was used with another body', async () => {
    const { id } = await deliver(client, entry('step', { url: 'https://ci.example/1' }));
    expect((await deliver(client, entry('step', { url: 'https://ci.example/2' }))).id).to.equal(id);
    const other = await deliver(client, entry('other-commit', { commit_sha: '1234567' }, 'step'));
    expect(other.id).not.to.equal(id);
  });

  it('rejects a deployment that ended differently before', async () => {
    await deliver(client, entry('ended', final));
    expect(await problemOf(deliver(client, entry('ended', { ...final, status: 'success' })))).to.equal(
      'deployment-finished',
    );
  });

  it('finishes a deployment, and again', async () => {
    const { id } = await deliver(client, entry('finish'));
    const finish: SpoolEntry = {
      operation: 'finishDeployment',
      path: { deployment_id: id },
      body: { status: 'success' },
      idempotencyKey: 'f',
      address: service.url,
      madeAt: 0,
    };
    expect((await deliver(client, finish)).id).to.equal(id);
    expect((await deliver(client, finish)).record).to.include({ status: 'success' });
    const later: SpoolEntry = { ...finish, body: { status: 'success', duration_seconds: 5 } };
    expect(await problemOf(deliver(client, later))).to.equal('deployment-finished');
    const { record } = await deliver(client, { ...later, measured: true });
    expect(record).to.include({ status: 'success', duration_seconds: null });
    const other: SpoolEntry = { ...later, body: { status: 'failure' }, measured: true };
    expect(await problemOf(deliver(client, other))).to.equal('deployment-finished');
  });

  it('records a test run once, at any time it is said to have run', async () => {
    const { id } = await deliver(client, testRun());
    expect(await deliver(client, testRun())).to.include({ id, repeated: true });
    expect(await deliver(client, testRun({ ran_at: '2026-01-01T00:00:00.000Z' }))).to.include({ id, repeated: true });
  });

  it('rejects what the server refuses', async () => {
    expect(await problemOf(deliver(client, entry('unknown', { app_name: 'nobody' })))).to.equal('unknown-app-name');
    expect(await problemOf(deliver(client, testRun({ passed: 3, external_id: 'bad' })))).to.equal('invalid');
  });
});

const AWAY = 'http://127.0.0.1:65531';

describe('shipworthy flush', () => {
  let service: Service;
  let world: StandIn;
  let spool: Spool;
  let serial = 0;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key } });
    spool = openSpool(world, createScreen(world, { json: false, command: 'flush', color: false }), service.key);
  });
  afterEach(() => world.remove());

  const keep = (parts: Partial<DeploymentEntry['body']> = {}, address = service.url) => {
    serial += 1;
    const started_at = '2026-05-01T10:00:00.000Z';
    return spool.keep({
      operation: 'createDeployment',
      body: {
        app_name: 'checkout',
        environment: 'production',
        commit_sha: 'abcdef1',
        status: 'success',
        started_at,
        external_id: `flush-${serial}`,
        ...parts,
      },
      idempotencyKey: `flush-${serial}`,
      address,
      madeAt: Date.now() - 100_000 + serial,
    });
  };
  const deployments = async () => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    return (await service.person.listDeployments({ path, query: { limit: 200 } })).body.data;
  };
  const withEnv = (env: Record<string, string>): StandIn => ({ ...world, env: { ...world.env, ...env } });

  it('ends with 0 when nothing is kept, without any settings', async () => {
    const { exit, err, out } = await runIn({ ...world, env: {} }, 'flush');
    expect([exit, err, out]).to.deep.equal([0, 'Nothing is kept.\n', '']);
  });

  it('sends what is kept in order, with its own times, and ends with 0', async () => {
    await keep({ version: 'first' });
    await keep({ version: 'second', status: 'failure' });
    const { exit, json } = await runIn(world, 'flush', '--json');
    expect(exit).to.equal(0);
    const { sent } = json().data as { sent: { what: string }[] };
    expect(sent.map(({ what }) => what)).to.deep.equal([
      'deployment of checkout to production (success)',
      'deployment of checkout to production (failure)',
    ]);
    const stored = (await deployments()).filter(({ version }) => version === 'first' || version === 'second');
    expect(stored).to.have.length(2);
    for (const one of stored) expect(one.started_at).to.equal('2026-05-01T10:00:00.000Z');
    expect(await spool.list()).to.deep.equal([]);
  });

  for (const [how, lead] of [
    ['ahead', 600_000],
    ['behind', -90_000],
  ] as const)
    it(`sends what is kept by its age where the clock of the machine is ${how}`, async () => {
      const now = () => Date.now() + lead;
      const madeAt = now() - 60_000;
      await keep({ version: how, started_at: new Date(madeAt - 5_000).toISOString() });
      await spool.keep({
        operation: 'recordNamedTestRun',
        path: { app: 'checkout', release: '' },
        body: { total: 1, passed: 1, failed: 0, suite: how, ran_at: new Date(madeAt).toISOString() },
        idempotencyKey: how,
        address: service.url,
        madeAt,
      });
      const { exit, err } = await runIn({ ...world, now }, 'flush');
      expect(exit, err).to.equal(0);
      const one = (await deployments()).find(({ version }) => version === how);
      const { body } = await service.person.listTestRuns({
        path: { team_id: service.teamId, project_id: service.projectId },
      });
      const run = body.data.find(({ suite }) => suite === how);
      expect(Date.parse(one?.started_at ?? '')).to.be.closeTo(madeAt - lead - 5_000, 30_000);
      expect(Date.parse(run?.ran_at ?? '')).to.be.closeTo(madeAt - lead, 30_000);
    });

  it('sends what another machine kept with the times it wrote, whatever this clock says', async () => {
    const madeAt = Date.now() - 60_000;
    await keep({ version: 'elsewhere', started_at: new Date(madeAt).toISOString() });
    const here = { ...world, machine: 'another', now: () => Date.now() + 600_000 };
    expect((await runIn(here, 'flush')).exit).to.equal(0);
    const one = (await deployments()).find(({ version }) => version === 'elsewhere');
    expect(Date.parse(one?.started_at ?? '')).to.equal(madeAt);
  });

  it('keeps what cannot be sent and ends with 5', async () => {
    await keep({}, AWAY);
    await keep({}, AWAY);
    const { exit, err } = await runIn(withEnv({ SHIPWORTHY_API_URL: AWAY }), 'flush', '--timeout', '0.3');
    expect(exit).to.equal(5);
    expect(err).to.contain('2 could not be sent and stay kept');
    expect(await spool.list()).to.have.length(2);
  });

  it('follows a list of releases that has no end no longer than a report that arrived may take', async () => {
    await spool.keep({
      operation: 'recordNamedTestRun',
      path: { app: 'checkout', release: 'none' },
      body: { total: 1, passed: 1, failed: 0 },
      idempotencyKey: 'endless',
      address: service.url,
      madeAt: Date.now(),
    });
    let pages = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!String(input).includes('/releases?')) return globalThis.fetch(input, init);
      init?.signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 10));
      pages += 1;
      return Response.json({ data: [], next_cursor: `page-${pages}` });
    };
    const argv = ['deploy', 'run', '--app', 'checkout', '--env', 'endless', '--commit', 'abcdef1', '--', 'true'];
    const { exit, err } = await runIn({ ...world, fetch }, ...argv);
    expect([exit, pages > 0], err).to.deep.equal([0, true]);
    expect(err)
      .to.contain('Reported: deployment of checkout to endless, success')
      .and.contain('wait for shipworthy flush');
    expect(await spool.list()).to.have.length(1);
  });

  it('moves what is refused aside, names it, goes on and ends with 2', async () => {
    const { name } = await keep({ app_name: 'nobody' });
    await keep({ version: 'after-a-refused-one' });
    const { exit, err } = await runIn(world, 'flush');
    expect(exit).to.equal(2);
    expect(err).to.contain('Refused: deployment of nobody').and.contain(join('refused', name));
    expect(existsSync(join(spool.folder, 'refused', name))).to.equal(true);
    expect(await spool.list()).to.deep.equal([]);
    expect((await deployments()).some(({ version }) => version === 'after-a-refused-one')).to.equal(true);
  });

  it('goes past a record that makes the server fail, and keeps it', async () => {
    await keep({ version: 'poison' });
    await keep({ version: 'after-poison' });
    const problem = {
      type: '/api/docs/problems/internal',
      title: 'x',
      status: 500,
      detail: 'x',
      instance: '/',
      request_id: 'r',
    };
    const headers = { 'content-type': 'application/problem+json' };
    const fetch: typeof globalThis.fetch = async (input, init) =>
      String(init?.body).includes('"poison"')
        ? Response.json(problem, { status: 500, headers })
        : globalThis.fetch(input, init);
    const { exit } = await runIn({ ...world, fetch }, 'flush', '--timeout', '0.3');
    expect(exit).to.equal(5);
    expect((await spool.list()).map(({ entry }) => entry.body)).to.have.length(1);
    expect((await deployments()).some(({ version }) => version === 'after-poison')).to.equal(true);
  });

  it('keeps everything when the key is missing, rejected or lacks the scope, and ends with 4', async () => {
    await keep();
    expect((await runIn({ ...world, env: { SHIPWORTHY_API_URL: service.url } }, 'flush')).exit).to.equal(4);
    for (const key of [`swk_${'a'.repeat(36)}`, await service.keyFor('read')]) {
      const { exit, err } = await runIn(withEnv({ SHIPWORTHY_API_KEY: key }), 'flush', '--unsealed');
      expect(exit).to.equal(4);
      expect(err).to.contain('1 could not be sent').and.not.contain(key);
    }
    expect(await spool.list()).to.have.length(1);
  });

  it('leaves a record that the key may not send, sends those behind it, and ends with 4', async () => {
    const path = { team_id: service.teamId, project_id: service.projectId, app: 'checkout', release: '' };
    const body = { total: 1, passed: 1, failed: 0, external_id: 'no-scope' };
    const run = { operation: 'recordTestRun', path, body, idempotencyKey: 'no-scope', address: service.url } as const;
    await spool.keep({ ...run, madeAt: Date.now() - 200_000 });
    await keep({ version: 'behind' });
    const key = await service.keyFor('read', 'deployments:write');
    const { exit, err } = await runIn(withEnv({ SHIPWORTHY_API_KEY: key }), 'flush', '--unsealed');
    expect(exit).to.equal(4);
    expect(err).to.contain('1 could not be sent');
    expect((await deployments()).some(({ version }) => version === 'behind')).to.equal(true);
    expect((await spool.list()).map(({ entry }) => entry.operation)).to.deep.equal(['recordTestRun']);
  });

  it('sends nothing that was not kept under the key, names it, and ends with 5', async () => {
    const { name } = await keep({ version: 'genuine' });
    const path = join(spool.folder, name);
    const text = readFileSync(path, 'utf8');
    const planted = text.replace('"genuine"', '"planted"').replaceAll(/flush-\d+/g, 'planted-1');
    // As another program of the same person, a cache, or an earlier version of the command would leave it.
    for (const [at, what] of [
      [name.replace(/^\d/, '1'), planted],
      [name.replace(/^\d/, '2'), planted.replace(/,"seal":"[0-9a-f]+"/, '')],
    ] as const)
      writeFileSync(join(spool.folder, at), what, { mode: 0o600 });
    const argv = ['deploy', 'run', '--app', 'checkout', '--env', 'staging', '--commit', 'abcdef1', '--', 'true'];
    const { err: told } = await runIn(world, ...argv);
    expect(told).to.contain('Sent 1 kept earlier').and.contain('2 were not kept under this key');
    const { exit, err, json } = await runIn(world, 'flush', '--json');
    expect(exit).to.equal(5);
    expect(err).to.contain('Not kept under this key, and left: deployment of checkout').and.contain('--unsealed');
    expect((json().data as { unsealed: unknown[] }).unsealed).to.have.length(2);
    const versions = async () => (await deployments()).map(({ version }) => version);
    expect(await versions())
      .to.include('genuine')
      .and.not.include('planted');
    expect((await runIn(world, 'flush', '--unsealed')).exit).to.equal(0);
    expect(await versions()).to.include('planted');
    expect(await spool.list()).to.deep.equal([]);
  });

  it('sends nothing to another address than it was made for, says so and ends with 5', async () => {
    await keep({}, 'https://elsewhere.example');
    const { exit, err } = await runIn(world, 'flush');
    expect(exit).to.equal(5);
    expect(err).to.contain('kept for https://elsewhere.example');
    expect(await spool.list()).to.have.length(1);
  });

  for (const sealed of [true, false])
    it(`keeps what was sent while that cannot be noted, and says so, ${sealed ? '' : 'not '}under the key`, async () => {
      const version = `not noted ${sealed}`;
      const { name } = await keep({ version });
      const file = join(spool.folder, name);
      if (!sealed) writeFileSync(file, readFileSync(file, 'utf8').replace(/,"seal":"[0-9a-f]+"/, ''));
      const mend = failingFiles('open', /spool.deployments.*unfinished$/, 'ENOSPC');
      const { exit, err } = await runIn(world, 'flush', '--unsealed').finally(mend);
      expect(exit, err).to.equal(2);
      expect(err).to.contain('Reported as ').and.contain('cannot be written (ENOSPC)').and.contain('1 stay kept.');
      expect(err).to.not.contain('Refused');
      expect((await runIn(world, 'flush', '--unsealed')).exit).to.equal(0);
      expect((await deployments()).filter((one) => one.version === version)).to.have.length(1);
      expect(await spool.list()).to.deep.equal([]);
    });

  it('names a file that cannot be read, alone or beside others, leaves it and ends with 5', async () => {
    const unreadable = await keep({ version: 'unreadable' });
    const path = join(spool.folder, unreadable.name);
    const mend = failingFiles('readFile', new RegExp(unreadable.name), 'EACCES');
    try {
      const alone = await runIn(world, 'flush', '--json');
      expect([alone.exit, alone.json().data]).to.deep.equal([
        5,
        { sent: [], refused: [], left: [], elsewhere: [], unsealed: [], unreadable: [path] },
      ]);
      expect(alone.err).to.contain(`${path} cannot be read (EACCES)`).and.not.contain('Nothing is kept');
      await keep({ version: 'readable' });
      const beside = await runIn(world, 'flush');
      expect([beside.exit, beside.err.includes('Sent: deployment of checkout')], beside.err).to.deep.equal([5, true]);
    } finally {
      mend();
    }
    expect((await spool.list()).map(({ name }) => name)).to.deep.equal([unreadable.name]);
  });

  it('takes an address with and without a closing slash for the same', async () => {
    await keep({}, `${service.url}/`);
    expect((await runIn(world, 'flush')).exit).to.equal(0);
  });

  it('shows the first request of a dry run and sends nothing', async () => {
    await keep({ version: 'dry' });
    const { exit, out } = await runIn(world, 'flush', '--dry-run');
    expect(exit).to.equal(0);
    expect(out).to.contain('POST').and.contain('"version": "dry"').and.not.contain(service.key);
    expect(await spool.list()).to.have.length(1);
  });

  it('ends with 2 for what it does not understand', async () => {
    expect((await runIn(world, 'flush', '--nonsense')).exit).to.equal(2);
  });

  it('stores each once when two flush the same at once', async () => {
    for (let index = 0; index < 10; index += 1) await keep({ version: 'raced' });
    const ends = await Promise.all([runIn(world, 'flush'), runIn(world, 'flush')]);
    expect(ends.map(({ exit }) => exit)).to.deep.equal([0, 0]);
    expect((await deployments()).filter(({ version }) => version === 'raced')).to.have.length(10);
    expect(readdirSync(spool.folder).filter((name) => name.endsWith('.json'))).to.deep.equal([]);
  });

  it('follows a report that arrives', async () => {
    await keep({ version: 'followed' });
    const argv = ['deploy', 'run', '--app', 'checkout', '--env', 'production', '--commit', 'abcdef1', '--', 'true'];
    const { exit, err } = await runIn(world, ...argv);
    expect(exit).to.equal(0);
    expect(err).to.contain('Sent 1 kept earlier');
    expect(await spool.list()).to.deep.equal([]);
  });
});
