import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { spoolFolder } from '../../src/spool/spool.js';
import { type Service, startService } from '../service/service.js';
import { neverAnswered, runIn, type StandIn, standIn } from '../stand-in.js';

const AWAY = 'http://127.0.0.1:65531';
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('shipworthy deploy run', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key } });
  });
  afterEach(() => world.remove());

  const withEnv = (env: Record<string, string>): StandIn => ({ ...world, env: { ...world.env, ...env } });
  const away = () => withEnv({ SHIPWORTHY_API_URL: AWAY });
  const inEnvironment = async (environment: string) => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    return (await service.person.listDeployments({ path, query: { environment } })).body.data;
  };
  const deploy = (in_: StandIn, environment: string, script: string, ...flags: readonly string[]) =>
    runIn(
      in_,
      ...['deploy', 'run', '--app', 'checkout', '--env', environment, '--commit', COMMIT, '--timeout', '20'],
      ...flags,
      ...['--', 'sh', '-c', script],
    );
  const kept = () => {
    const folder = spoolFolder(world);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  };

  it('reports a success with its duration, and says what it counts for and where it is', async () => {
    const { exit, out, err } = await deploy(world, 'one', 'sleep 0.2', '--version', '2.4.1', '--deployed-by', 'robot');
    expect([exit, out]).to.deep.equal([0, '']);
    const [record, another] = await inEnvironment('one');
    expect(another).to.equal(undefined);
    expect(record).to.include({ status: 'success', commit_sha: COMMIT, version: '2.4.1', deployed_by: 'robot' });
    expect(record?.duration_seconds).to.be.at.least(0.2);
    expect(err).to.contain('counts for 1.0').and.contain(`${service.url}/teams/${service.teamId}/projects/`);
    expect(kept()).to.deep.equal([]);
  });

  for (const [script, code] of [
    ['exit 3', 3],
    ['exit 5', 5],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
  ] as const)
    it(`reports a failure and ends with ${code} for ${script}`, async () => {
      const environment = `fails ${script}`.replaceAll('$', '').trim();
      expect((await deploy(world, environment, script)).exit).to.equal(code);
      expect((await inEnvironment(environment)).map(({ status }) => status)).to.deep.equal(['failure']);
    });

  it('reports a command that cannot be started as a failure', async () => {
    const argv = ['deploy', 'run', '--app', 'checkout', '--env', 'absent', '--commit', COMMIT, '--', 'no-such-command'];
    expect((await runIn(world, ...argv)).exit).to.equal(127);
    expect((await inEnvironment('absent'))[0]?.status).to.equal('failure');
  });

  it('tells programs with --json', async () => {
    const { json } = await deploy(world, 'json', 'exit 4', '--json');
    expect(json().data).to.include({
      status: 'failure',
      exit: 4,
      command_exit: 4,
      signal: null,
      report: 'sent',
      reference: null,
    });
  });

  it('lets the deployment go on while the server is away, and keeps one whole record', async () => {
    const { exit, err } = await deploy(away(), 'away', 'sleep 0.1');
    expect(exit).to.equal(0);
    expect(err).to.contain('kept as kept:').and.contain('shipworthy flush');
    expect(err.trimEnd().split('\n').at(-1)).to.match(
      /Nothing was recorded of this deployment yet: shipworthy flush sends kept:/,
    );
    const [record, another] = kept();
    expect(another).to.equal(undefined);
    expect(record.body).to.include({ status: 'success', commit_sha: COMMIT, environment: 'away' });
    expect(Date.parse(record.body.finished_at) - Date.parse(record.body.started_at)).to.be.at.least(100);
    expect(record.body.external_id).to.be.a('string');
  });

  it('waits five seconds at each end for a server that never answers, for any time limit', async () => {
    const silent = { ...world, fetch: neverAnswered };
    const begun = performance.now();
    expect((await deploy(silent, 'silent', 'true', '--timeout', '30')).exit).to.equal(0);
    // Without that limit it would be thirty seconds at each end.
    expect(performance.now() - begun).to.be.within(9_000, 45_000);
    expect(kept()).to.have.length(1);
  });

  it('keeps report and exit code where the interrupt that ended the command arrives once more', async () => {
    const over = join(world.folder, 'over');
    let interrupts = 0;
    // The clock is asked as soon as the command is over; an interrupt follows before anything was written.
    const now = () => {
      if (interrupts === 0 && existsSync(over)) {
        interrupts += 1;
        setImmediate(() => world.interrupt('SIGINT'));
      }
      return Date.now();
    };
    const { exit, err } = await deploy({ ...world, now }, 'twice', 'touch over; exit 7');
    expect([exit, interrupts], err).to.deep.equal([7, 1]);
    const told = [...(await inEnvironment('twice')), ...kept().map(({ body }) => body)].map(({ status }) => status);
    expect(told).to.include('failure');
  });

  it('lets the command win over an outage, and strictness count only after a success', async () => {
    expect((await deploy(away(), 'away', 'exit 9', '--strict-report')).exit).to.equal(9);
    expect((await deploy(away(), 'away', 'true', '--strict-report')).exit).to.equal(5);
    expect(kept()).to.have.length(2);
  });

  for (const [name, env, flags, code] of [
    ['an unknown project', {}, ['--app', 'nobody'], 2],
    ['a rejected key', { SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` }, [], 4],
    ['no key', { SHIPWORTHY_API_KEY: '' }, [], 4],
    ['no address', { SHIPWORTHY_API_URL: '' }, [], 2],
  ] as const)
    it(`says loudly what is refused (${name}), runs the command, and ends with ${code} only when strict`, async () => {
      const script = 'touch ran';
      const { exit, err } = await deploy(withEnv(env), 'refused', script, ...flags);
      expect(exit).to.equal(0);
      expect(err).to.contain('warning: Not reported:');
      expect(err.trimEnd().split('\n').at(-1)).to.equal('warning: Nothing was recorded of this deployment.');
      expect(existsSync(join(world.folder, 'ran'))).to.equal(true);
      expect((await deploy(withEnv(env), 'refused', script, ...flags, '--strict-report')).exit).to.equal(code);
      expect((await deploy(withEnv(env), 'refused', 'exit 6', ...flags, '--strict-report')).exit).to.equal(6);
      expect(await inEnvironment('refused')).to.deep.equal([]);
      expect(kept()).to.deep.equal([]);
    });

  it('ends with 2 before anything runs for what is wrong on the command line', async () => {
    const ran = ['--', 'touch', 'ran'];
    for (const argv of [
      ['--app', 'checkout', '--commit', COMMIT],
      ['--app', 'checkout', '--env', '', '--commit', COMMIT],
      ['--app', 'checkout', '--env', 'e', '--commit', 'main'],
      ['--app', 'checkout', '--env', 'e', '--commit', COMMIT, '--url', 'javascript:alert(1)'],
      ['--app', 'checkout', '--env', 'e', '--commit', COMMIT, '--version', 'x'.repeat(201)],
      ['--app', 'checkout', '--env', 'e', '--commit', COMMIT, '--idempotency-key', 'ä'],
      ['--app', 'checkout', '--env', 'e'],
    ])
      expect((await runIn(world, 'deploy', 'run', ...argv, ...ran)).exit, argv.join(' ')).to.equal(2);
    expect((await runIn(world, 'deploy', 'run', '--env', 'e', '--commit', COMMIT)).exit).to.equal(2);
    expect(existsSync(join(world.folder, 'ran'))).to.equal(false);
  });

  it('takes the only project the key sees when none is named', async () => {
    const argv = ['deploy', 'run', '--env', 'only', '--commit', COMMIT, '--', 'true'];
    expect((await runIn(world, ...argv)).exit).to.equal(0);
    expect(await inEnvironment('only')).to.have.length(1);
    const offline = { ...world, fetch: () => Promise.reject(new TypeError('fetch failed')) };
    expect((await runIn(offline, ...argv.slice(0, -2), '--timeout', '0.3', '--', 'true')).exit).to.equal(0);
    expect(kept()).to.have.length(1);
    expect((await runIn(world, 'flush')).exit).to.equal(0);
    expect(await inEnvironment('only')).to.have.length(2);
  });

  it('counts a step that runs again once, under its idempotency key', async () => {
    const again = ['--idempotency-key', 'run-4711'];
    await deploy(world, 'again', 'true', ...again, '--url', 'https://ci.example/1');
    const { err } = await deploy(world, 'again', 'true', ...again, '--url', 'https://ci.example/2');
    expect(await inEnvironment('again')).to.have.length(1);
    expect(err).to.contain('Reported: deployment of checkout to again');
    await deploy(world, 'again elsewhere', 'true', ...again);
    expect(await inEnvironment('again elsewhere')).to.have.length(1);
    const other = await deploy(world, 'again', 'exit 3', ...again);
    expect(other.exit).to.equal(3);
    expect(other.err).to.contain('warning: Not reported:');
  });

  it('shows the request of a dry run and runs nothing', async () => {
    const { exit, out } = await deploy(world, 'dry', 'touch ran', '--dry-run', '--idempotency-key', 'run-1');
    expect(exit).to.equal(0);
    expect(out)
      .to.contain('POST')
      .and.contain('idempotency-key: run-1')
      .and.contain('"status": "started"')
      .and.not.contain(service.key);
    expect(existsSync(join(world.folder, 'ran'))).to.equal(false);
    expect(kept()).to.deep.equal([]);
  });

  it('begins nothing when it is interrupted before', async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked();
      return neverAnswered(input, init);
    };
    const running = deploy({ ...world, fetch }, 'cancelled', 'touch ran');
    await isAsked;
    world.interrupt('SIGTERM');
    expect((await running).exit).to.equal(143);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(existsSync(join(world.folder, 'ran'))).to.equal(false);
    expect(kept()).to.deep.equal([]);
  });

  it('begins nothing when it is interrupted while it finds out what is deployed', async () => {
    const running = deploy(world, 'cancelled early', 'touch ran');
    while (!world.interrupt('SIGTERM')) await Promise.resolve();
    expect((await running).exit).to.equal(143);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(join(world.folder, 'ran'))).to.equal(false);
    expect(await inEnvironment('cancelled early')).to.deep.equal([]);
  });

  it('finishes as failure when it is interrupted after, and keeps that end when interrupted again', async () => {
    const running = deploy(world, 'cancelled later', 'trap "exit 0" INT; touch ran; while :; do sleep 0.05; done');
    while (!existsSync(join(world.folder, 'ran'))) await new Promise((resolve) => setTimeout(resolve, 10));
    world.interrupt('SIGINT');
    expect((await running).exit).to.equal(0);
    expect((await inEnvironment('cancelled later'))[0]?.status).to.equal('failure');

    let sent = (): void => {};
    const isSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (init?.method !== 'PUT') return globalThis.fetch(input, init);
      sent();
      return neverAnswered(input, init);
    };
    const stuck = deploy({ ...world, fetch }, 'stuck', 'exit 7', '--timeout', '30');
    await isSent;
    world.interrupt('SIGTERM');
    expect((await stuck).exit).to.equal(7);
    expect(kept().map(({ operation, body }) => [operation, body.status])).to.deep.equal([
      ['finishDeployment', 'failure'],
    ]);
  });

  it('goes on when nothing can be kept either, and says that the record is lost', async () => {
    const nowhere = withEnv({ SHIPWORTHY_API_URL: AWAY, XDG_STATE_HOME: '/dev/null' });
    const { exit, err } = await deploy(nowhere, 'lost', 'true');
    expect(exit).to.equal(0);
    expect(err).to.contain('This record is lost');
  });
});
