import { expect } from 'chai';
import { type Service, startService } from './service/service.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

describe('run', () => {
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

  it('writes data to stdout and nothing else', async () => {
    const { exit, out, err } = await runIn(world, 'teams');
    expect(exit).to.equal(0);
    expect(out).to.match(/^TEAM +PROJECT +ACTIVE RELEASE +PROJECT ID\nCore +checkout +1\.0 +/);
    expect(err).to.equal('');
  });

  it('writes one versioned document with --json, before and after the command', async () => {
    for (const argv of [
      ['--json', 'releases'],
      ['releases', '--json'],
    ]) {
      const document = JSON.parse((await runIn(world, ...argv)).out);
      expect(document).to.include({ version: 1, command: 'releases' });
      expect(document.data[0]).to.include({ id: service.releaseId, name: '1.0', state: 'active' });
    }
  });

  it('says whose key it is and where it was found, and never the key', async () => {
    const { out } = await runIn(world, 'whoami');
    expect(out).to.contain('key from SHIPWORTHY_API_KEY').and.contain('team Core: owner').and.not.contain(service.key);
  });

  it('ends with 4 without a key and with a rejected one', async () => {
    const without = { ...world, env: { SHIPWORTHY_API_URL: service.url } };
    expect((await runIn(without, 'teams')).exit).to.equal(4);
    const wrong = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` } };
    const { exit, err, out } = await runIn(wrong, 'teams', '--json');
    expect(exit).to.equal(4);
    expect(err).to.contain('fix:').and.not.contain('swk_aaa');
    expect(JSON.parse(out).error).to.include({ exit: 4, code: 'unauthenticated' });
  });

  it('ends with 5 when nothing answers, and when something else does', async () => {
    const away = { ...world, env: { ...world.env, SHIPWORTHY_API_URL: 'http://127.0.0.1:9' } };
    const { exit, err } = await runIn(away, 'teams');
    expect(exit).to.equal(5);
    expect(err).to.contain('could not be reached');
    const page = { ...world, fetch: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }) };
    expect((await runIn(page, 'teams')).exit).to.equal(5);
  });

  it('ends with 2 for what it does not understand', async () => {
    for (const argv of [
      ['nonsense'],
      ['teams', '--nonsense'],
      ['teams', '--timeout', 'soon'],
      ['releases', '--app', 'no'],
    ])
      expect((await runIn(world, ...argv)).exit, argv.join(' ')).to.equal(2);
    expect((await runIn({ ...world, env: {} }, 'teams')).exit).to.equal(2);
  });

  it('tells programs, too, what it does not understand', async () => {
    for (const argv of [['nonsense'], ['deploy', 'run', '--', 'true'], ['gate', '--wait', `swk_${'a'.repeat(36)}`]]) {
      const { exit, json, out } = await runIn(world, '--json', ...argv);
      expect(exit).to.equal(2);
      expect(json().error).to.include({ exit: 2, code: 'usage' });
      expect(out).not.to.contain('swk_');
    }
    // Behind -- it is a word of the command that is run.
    expect((await runIn(world, 'deploy', 'run', '--', 'true', '--json')).out).to.equal('');
  });

  it('ends with 130 and 143 when interrupted', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const waiting = { ...world, fetch: () => new Promise<Response>(() => undefined) };
      const running = runIn(waiting, 'teams');
      while (!world.interrupt(signal)) await new Promise((resolve) => setTimeout(resolve, 1));
      expect((await running).exit).to.equal(code);
    }
  });

  it('prints help and version to stdout', async () => {
    expect((await runIn(world, '--help')).out).to.contain('Usage: shipworthy');
    expect((await runIn(world, '--version')).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
