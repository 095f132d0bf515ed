import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { spoolFolder } from '../../src/spool/spool.js';
import { makeReady, newProject, openCriticalBug, type ReleasePath, tickChecklist } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { startShipworthy } from '../shipworthy-process.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const AWAY = 'http://127.0.0.1:65531';

describe('shipworthy deploy run --gate', () => {
  let service: Service;
  let world: StandIn;
  let name: string;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    ({ name, path } = await newProject(service));
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
    });
  });
  afterEach(async () => {
    expect(world.out() + world.err()).not.to.contain(service.key);
    await world.remove();
  });

  const words = (...flags: readonly string[]) => [
    ...['deploy', 'run', '--env', 'gated', '--commit', COMMIT, ...flags],
    ...['--', 'sh', '-c', 'echo deployed > ran'],
  ];
  const deploy = (in_: StandIn, ...flags: readonly string[]) => runIn(in_, ...words('--gate', ...flags));
  const withEnv = (env: Record<string, string>): StandIn => ({ ...world, env: { ...world.env, ...env } });
  const hasRun = () => existsSync(join(world.folder, 'ran'));
  const deployments = async () =>
    (await service.person.listDeployments({ path, query: { environment: 'gated' } })).body.data;
  const expectNothing = async () => {
    expect(hasRun()).to.equal(false);
    expect(await deployments()).to.deep.equal([]);
    expect(existsSync(spoolFolder(world))).to.equal(false);
  };

  it('runs and reports the command when the gate says go, and leaves stdout to it', async () => {
    await makeReady(service, name, path);
    const { exit, out, err } = await deploy(world);
    expect([exit, out], err).to.deep.equal([0, '']);
    expect(hasRun()).to.equal(true);
    expect(err).to.match(/^go$/m).and.contain('Reported: deployment');
    expect((await deployments()).map(({ status }) => status)).to.deep.equal(['success']);
    const argv = ['deploy', 'run', '--gate', '--env', 'gated', '--commit', COMMIT, '--', 'sh', '-c', 'exit 9'];
    expect((await runIn(world, ...argv)).exit).to.equal(9);
  });

  it('runs and records nothing when the gate holds, says why as the gate does, and ends with 3', async () => {
    await makeReady(service, name, path);
    await openCriticalBug(service, path);
    const { exit, out, err } = await deploy(world);
    expect([exit, out]).to.deep.equal([3, (await runIn(world, 'gate')).out]);
    expect(out)
      .to.match(/^hold\n/)
      .and.match(/^ {2}because {2}1 critical bug/m);
    expect(err).to.contain('The command was not run');
    await expectNothing();
  });

  it('ends with 5 while something required is unmeasured, with any --on-unavailable', async () => {
    await tickChecklist(service, path);
    for (const more of [[], ['--on-unavailable', 'go']]) {
      const { exit, out } = await deploy(world, ...more);
      expect([exit, out.split('\n')[0]]).to.deep.equal([5, 'unknown']);
    }
    await expectNothing();
  });

  it('asks about the release that is named', async () => {
    await makeReady(service, name, path);
    const { body } = await service.person.createRelease({ path, body: { name: '2.0' } });
    expect((await deploy(world, '--release', '2.0')).exit).to.equal(3);
    expect((await deploy(world, '--release', body.data.id)).exit).to.equal(3);
    expect((await deploy(world, '--release', 'none')).exit).to.equal(2);
    await expectNothing();
    expect((await deploy(world, '--release', '1.0')).exit).to.equal(0);
    expect(hasRun()).to.equal(true);
  });

  it('waits for go, and runs the command then', async () => {
    await makeReady(service, name, path);
    const bug = await openCriticalBug(service, path);
    expect((await deploy(world, '--wait', '50ms')).exit).to.equal(8);
    await expectNothing();
    const waiting = deploy(world, '--wait', '1h');
    while (!world.err().includes('waiting for go')) await new Promise((resolve) => setTimeout(resolve, 10));
    await expectNothing();
    await service.person.changeIssue({ path: { ...path, issue_id: bug }, body: { state: 'done' } });
    expect((await waiting).exit).to.equal(0);
    expect(hasRun()).to.equal(true);
  });

  it('runs nothing while the server cannot be asked, unless --on-unavailable go is given', async () => {
    const away = withEnv({ SHIPWORTHY_API_URL: AWAY });
    const held = await deploy(away, '--timeout', '0.3');
    expect([held.exit, held.out]).to.deep.equal([5, '']);
    expect(held.err, 'a busy machine may see no refusal in time').to.match(/could not be reached|did not answer/);
    await expectNothing();
    const gone = await deploy(away, '--timeout', '0.3', '--on-unavailable', 'go');
    expect([gone.exit, gone.out]).to.deep.equal([0, '']);
    expect(gone.err).to.contain('warning: GOING ON WITHOUT A VERDICT');
    expect(hasRun()).to.equal(true);
  });

  it('runs nothing for a key that may not read, without a key, and without an address', async () => {
    const mayNotRead = await service.keyFor('deployments:write');
    for (const [env, exit] of [
      [{ SHIPWORTHY_API_KEY: mayNotRead }, 4],
      [{ SHIPWORTHY_API_KEY: '' }, 4],
      [{ SHIPWORTHY_API_URL: '' }, 2],
      [{ SHIPWORTHY_APP: 'none' }, 2],
    ] as const)
      expect((await deploy(withEnv(env), '--on-unavailable', 'go')).exit, JSON.stringify(env)).to.equal(exit);
    await expectNothing();
  });

  it('does not ask when the command line is wrong or no commit is known', async () => {
    await makeReady(service, name, path);
    let asked = 0;
    const counting: typeof fetch = (input, init) => {
      asked += 1;
      return fetch(input, init);
    };
    const watched = { ...world, fetch: counting };
    const run = ['--', 'sh', '-c', 'echo deployed > ran'];
    expect((await runIn(watched, 'deploy', 'run', '--gate', '--env', 'gated', ...run)).exit).to.equal(2);
    for (const flags of [
      ['--gate', '--wait', 'soon'],
      ['--gate', '--on-unavailable', 'perhaps'],
      // A gate that is not asked would be mistaken for one.
      ['--wait', '10m'],
      ['--release', '1.0'],
      ['--on-unavailable', 'hold'],
    ])
      expect((await runIn(watched, ...words(...flags))).exit, flags.join(' ')).to.equal(2);
    expect(asked).to.equal(0);
    await expectNothing();
  });

  it('asks in a dry run too, and shows the request only upon go', async () => {
    await makeReady(service, name, path);
    const shown = await deploy(world, '--dry-run');
    expect([shown.exit, shown.out.split(' ')[0]]).to.deep.equal([0, 'POST']);
    expect(shown.err).to.match(/^go$/m);
    await openCriticalBug(service, path);
    expect((await deploy(world, '--dry-run')).exit).to.equal(3);
    await expectNothing();
  });

  it('tells programs the verdict and what became of the command in one document', async () => {
    await makeReady(service, name, path);
    const went = (await deploy(world, '--json')).json();
    expect(went.data).to.include({ status: 'success', exit: 0, command_exit: 0, report: 'sent' });
    expect(went.data).to.have.nested.property('gate.decision', 'go');
    rmSync(join(world.folder, 'ran'));
    await openCriticalBug(service, path);
    const held = await deploy(world, '--json');
    expect(held.exit).to.equal(3);
    const { data } = held.json();
    expect(data).to.include({ status: 'not_run', exit: 3, command_exit: null, signal: null, duration_seconds: null });
    expect(data).to.include({ report: null, deployment_id: null, reference: null, url: null });
    expect(data).to.have.nested.property('gate.decision', 'hold');
    expect(Object.keys(data)).to.have.members(Object.keys(went.data));
    expect((await runIn(world, 'gate', '--json')).json().data).to.deep.equal((data as { gate: object }).gate);
    const away = await deploy(withEnv({ SHIPWORTHY_API_URL: AWAY }), '--json', '--timeout', '0.3');
    expect([away.exit, away.json().error]).to.deep.include(5).and.have.nested.property('[1].exit', 5);
    expect(hasRun()).to.equal(false);
    const ungated = await runIn(world, ...words('--json'));
    expect(ungated.json().data).to.include({ status: 'success', gate: null });
  });

  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`runs nothing when ${signal} comes while it waits`, async () => {
      await makeReady(service, name, path);
      const bug = await openCriticalBug(service, path);
      const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name };
      const waiting = startShipworthy(world.folder, env, ...words('--gate', '--wait', '1h'));
      await waiting.said('waiting for go');
      waiting.child.kill(signal);
      expect((await waiting.ended).exit).to.equal(exit);
      await service.person.changeIssue({ path: { ...path, issue_id: bug }, body: { state: 'done' } });
      await expectNothing();
    });

    it(`runs nothing when ${signal} comes before the answer, even where an outage is go`, async () => {
      await makeReady(service, name, path);
      for (const awaited of ['/api/teams', '/readiness']) {
        let interrupted = (): void => undefined;
        const isInterrupted = new Promise<void>((resolve) => {
          interrupted = resolve;
        });
        let asked = 0;
        // Here an interrupted command goes on in the same process, and finds that the server cannot be asked.
        const leaving: typeof fetch = async (input, init) => {
          if (!String(input).endsWith(awaited)) return fetch(input, init);
          asked += 1;
          await isInterrupted;
          throw new TypeError('fetch failed');
        };
        const running = deploy({ ...world, fetch: leaving }, '--timeout', '0.3', '--on-unavailable', 'go');
        while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        world.interrupt(signal);
        expect((await running).exit).to.equal(exit);
        interrupted();
        await new Promise((resolve) => setTimeout(resolve, 500));
        await expectNothing();
      }
    });
  }
});
