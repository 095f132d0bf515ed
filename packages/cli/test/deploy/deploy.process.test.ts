import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startServerProcess } from '../service/server-process.js';
import { COMMAND, startShipworthy } from '../shipworthy-process.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('shipworthy deploy as a process', () => {
  let folder: string;
  let home: string;
  let place: Awaited<ReturnType<typeof startServerProcess>>;
  const said: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-process-'));
    place = await startServerProcess(folder);
  });
  after(async () => {
    await place.server.kill();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    home = await mkdtemp(join(folder, 'home-'));
  });

  const shipworthy = (...argv: readonly string[]) => {
    const env = { SHIPWORTHY_API_URL: place.server.url, SHIPWORTHY_API_KEY: place.key };
    const running = startShipworthy(home, env, ...argv);
    void running.ended.then(({ out, err }) => said.push(out, err));
    return running;
  };
  const deploy = (environment: string, script: string, ...flags: readonly string[]) =>
    shipworthy(
      ...['deploy', 'run', '--app', 'checkout', '--env', environment, '--commit', COMMIT, ...flags],
      ...['--', 'sh', '-c', script],
    );
  const inEnvironment = async (environment: string) => {
    const path = { team_id: place.teamId, project_id: place.projectId };
    return (await place.client.listDeployments({ path, query: { environment, limit: 200 } })).body.data;
  };
  const spooled = async () => {
    const spool = join(home, '.local', 'state', 'shipworthy', 'spool');
    const names = await readdir(spool, { recursive: true }).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json') && !name.includes('deployments'));
    return Promise.all(files.map((name) => readFile(join(spool, name), 'utf8')));
  };
  const LOOP = 'echo ready; while :; do sleep 0.05; done';

  it('hands the child its own output and input, and adds nothing to stdout', async () => {
    const { exit, out, err } = await deploy('output', 'echo to-stdout; echo to-stderr >&2; exit 3').ended;
    expect([exit, out]).to.deep.equal([3, 'to-stdout\n']);
    expect(err).to.contain('to-stderr').and.contain('Reported: deployment of checkout to output, failure');
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    it(`hands ${signal} on, reports the failure and ends with ${code}`, async () => {
      const running = deploy(signal, LOOP);
      await running.said('ready');
      expect((await inEnvironment(signal))[0]?.status).to.equal('started');
      running.child.kill(signal);
      expect((await running.ended).exit).to.equal(code);
      expect((await inEnvironment(signal)).map(({ status }) => status)).to.deep.equal(['failure']);
    });

  it('kills a child that ignores interrupts at the second one', async () => {
    const running = deploy('stubborn', `trap '' INT TERM; ${LOOP}`);
    await running.said('ready');
    running.child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 700));
    running.child.kill('SIGTERM');
    expect((await running.ended).exit).to.equal(137);
    expect((await inEnvironment('stubborn'))[0]?.status).to.equal('failure');
  });

  it('reports a child that another process killed', async () => {
    const running = deploy('killed', `echo "pid $$"; ${LOOP}`);
    await running.said('ready');
    process.kill(Number(/pid (\d+)/.exec(running.out())?.[1]), 'SIGKILL');
    expect((await running.ended).exit).to.equal(137);
    expect((await inEnvironment('killed'))[0]?.status).to.equal('failure');
  });

  /** Runs that are killed as nothing can be defended against, with what they started. */
  const killed = async (environment: string, ...flags: readonly string[]): Promise<void> => {
    const running = deploy(environment, `echo "pid $$"; ${LOOP}`, ...flags);
    await running.said('ready');
    running.child.kill('SIGKILL');
    process.kill(Number(/pid (\d+)/.exec(running.out())?.[1]), 'SIGKILL');
    expect((await running.ended).signal).to.equal('SIGKILL');
  };

  it('leaves a deployment in progress when it is killed itself, which counts for nothing and hides no later one', async () => {
    await killed('lost');
    const [lost] = await inEnvironment('lost');
    expect(lost).to.include({ status: 'started', finished_at: null });
    expect(lost?.attribution.releases.filter(({ counts }) => counts)).to.deep.equal([]);
    expect((await deploy('lost', 'exit 0').ended).exit).to.equal(0);
    const after = await inEnvironment('lost');
    expect(after.map(({ status }) => status)).to.deep.equal(['success', 'started']);
    expect(after[1]).to.deep.equal(lost);
  });

  for (const [exit, status] of [
    [0, 'success'],
    [3, 'failure'],
  ] as const)
    it(`ends what a killed run of the same name began, as ${status}, and no run of another name does`, async () => {
      const environment = `retried ${status}`;
      await killed(environment, '--idempotency-key', `4711-ship-${exit}`);
      const beside = deploy(environment, 'exit 0', '--idempotency-key', `4711-other-${exit}`);
      expect((await beside.ended).exit).to.equal(0);
      expect((await inEnvironment(environment)).map((one) => one.status)).to.deep.equal(['success', 'started']);
      const again = ['--idempotency-key', `4711-ship-${exit}`, '--url', 'https://ci.example/4711/attempts/2'];
      expect((await deploy(environment, `exit ${exit}`, ...again).ended).exit).to.equal(exit);
      expect((await inEnvironment(environment)).map((one) => one.status)).to.deep.equal(['success', status]);
    });

  it('ends at once when it is interrupted while it reports a start', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const asked = new Promise((resolve) => silent.once('connection', resolve));
    const argv = ['deploy', 'start', '--app', 'a', '--env', 'e', '--commit', COMMIT];
    const running = shipworthy(...argv, '--api-url', `http://127.0.0.1:${port}`);
    const socket = (await asked) as Socket;
    running.child.kill('SIGTERM');
    expect((await running.ended).exit).to.equal(143);
    expect(await spooled()).to.deep.equal([]);
    socket.destroy();
    silent.close();
  });

  it('keeps the end when the server is killed in the middle, and stores it once when it is back', async () => {
    const running = deploy('outage', `echo ready; sleep 0.5; exit 4`, '--timeout', '5');
    await running.said('ready');
    await place.server.kill();
    const { exit, err } = await running.ended;
    expect(exit).to.equal(4);
    expect(err).to.contain('kept as kept:');
    const whole = await deploy('outage whole', 'exit 0', '--timeout', '1').ended;
    expect(whole.exit).to.equal(0);
    expect(await spooled()).to.have.length(2);
    const away = await shipworthy('flush', '--timeout', '1').ended;
    expect(away.exit).to.equal(5);

    await place.server.start();
    const flushes = await Promise.all([shipworthy('flush').ended, shipworthy('flush').ended]);
    expect(flushes.map((one) => one.exit)).to.deep.equal([0, 0]);
    expect((await inEnvironment('outage')).map(({ status }) => status)).to.deep.equal(['failure']);
    expect((await inEnvironment('outage whole')).map(({ status }) => status)).to.deep.equal(['success']);
    expect(await spooled()).to.deep.equal([]);
  });

  it('keeps everything of two pipelines that race during an outage, and stores each once', async () => {
    await place.server.kill();
    const racing = Array.from({ length: 4 }, (_, index) => deploy('race', `exit ${index}`, '--timeout', '0.5').ended);
    expect((await Promise.all(racing)).map(({ exit }) => exit)).to.deep.equal([0, 1, 2, 3]);
    expect(await spooled()).to.have.length(4);
    await place.server.start();
    const after = await Promise.all([deploy('race', 'exit 0').ended, deploy('race', 'exit 0').ended]);
    expect(after.map(({ exit }) => exit)).to.deep.equal([0, 0]);
    const flushed = await shipworthy('flush').ended;
    expect(flushed.exit).to.equal(0);
    const statuses = (await inEnvironment('race')).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal(['failure', 'failure', 'failure', 'success', 'success', 'success']);
  });

  it('never prints or stores its key, even when it was written into a label', async () => {
    await place.server.kill();
    const { exit } = await deploy('canary', 'exit 0', '--timeout', '0.3', '--version', place.key).ended;
    expect(exit).to.equal(0);
    for (const argv of [
      ['flush', '--timeout', '0.3'],
      ['deploy', 'start', '--app', place.key, '--env', place.key, '--commit', COMMIT, '--timeout', '0.3', '--json'],
      ['deploy', 'finish', place.key, '--status', 'success'],
      ['deploy', 'start', '--app', 'a', '--env', 'e', '--commit', COMMIT, '--dry-run'],
    ])
      await shipworthy(...argv).ended;
    const texts = [...said, ...(await spooled())];
    expect(texts.length).to.be.greaterThan(20);
    for (const text of texts) expect(text).not.to.contain(place.key);
    await place.server.start();
  });

  it('runs the deployment and keeps its exit code although nothing can be written to stdout and stderr', async () => {
    const command = `exec "$0" "$1" deploy run --app checkout --env full --commit ${COMMIT} -- sh -c 'exit 3' > /dev/full 2>&1`;
    const env = { ...process.env, HOME: home, SHIPWORTHY_API_URL: place.server.url, SHIPWORTHY_API_KEY: place.key };
    const { status } = spawnSync('sh', ['-c', command, process.execPath, COMMAND], { cwd: home, env });
    expect(status).to.equal(3);
  });

  it('says that its folder is gone', async () => {
    const command = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" teams';
    const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, COMMAND], {
      cwd: home,
      encoding: 'utf8',
    });
    expect([status, stderr]).to.deep.equal([2, 'error: The folder this was started in is gone.\n']);
  });
});
