import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { spoolFolder } from '../src/spool/spool.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

const ID = '01a1fdac-8616-7316-8ce5-786892d5e3f0';
const COMMIT = ['--commit', '9fceb02d0ae5'] as const;
const DEPLOYMENT = ['--app', 'a', '--env', 'e', ...COMMIT] as const;
const STEERING = '\u001b]0;title\u0007\u001b[2J\u001b[31mred\r\n::error::forged\u202e';

const json = (status: number, body: string, type = 'application/json') =>
  new Response(status === 204 || status === 304 ? null : body, { status, headers: { 'content-type': type } });

const NONSENSE: Readonly<Record<string, () => Response>> = {
  'nothing (204)': () => json(204, ''),
  'unchanged (304)': () => json(304, ''),
  'a list': () => json(200, '[]'),
  null: () => json(201, 'null'),
  'no record': () => json(201, '{"data":{}}'),
  'a record without an id of ours': () => json(201, '{"data":{"id":"1","attribution":{"releases":[]}}}'),
  'a record that counts nowhere': () => json(201, `{"data":{"id":"${ID}"}}`),
};

describe('answers that are not from a Shipworthy server', () => {
  let world: StandIn;
  const answered = async (answer: () => Response) => {
    world = await standIn({
      env: { SHIPWORTHY_API_URL: 'http://127.0.0.1:9', SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` },
      fetch: async () => answer(),
    });
  };
  afterEach(() => world.remove());
  const kept = (): readonly string[] => {
    const folder = spoolFolder(world);
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  };

  for (const [name, answer] of Object.entries(NONSENSE)) {
    it(`never cost a deployment its exit code, and are never taken for a report: ${name}`, async () => {
      await answered(answer);
      const deploy = ['deploy', 'run', '--timeout', '1', ...DEPLOYMENT];
      const { exit, json: told } = await runIn(world, '--json', ...deploy, '--', 'sh', '-c', 'touch ran; exit 7');
      expect(exit).to.equal(7);
      expect(existsSync(join(world.folder, 'ran'))).to.equal(true);
      expect(told().data).to.include({ report: 'kept', command_exit: 7 });
      expect((await runIn(world, ...deploy, '--', 'true')).exit).to.equal(0);
      expect((await runIn(world, ...deploy, '--strict-report', '--', 'true')).exit).to.equal(5);
      expect(kept()).to.have.length(3);
    });

    it(`are no report to deploy start and finish, and no verdict: ${name}`, async () => {
      await answered(answer);
      const started = await runIn(world, 'deploy', 'start', '--timeout', '1', ...DEPLOYMENT);
      expect([started.exit, started.out]).to.satisfy(
        ([exit, out]: [number, string]) => exit === 0 && /^kept:/.test(out),
      );
      const finished = await runIn(world, '--json', 'deploy', 'finish', ID, '--status', 'success', '--timeout', '1');
      expect(finished.json().data).to.include({ report: 'kept' });
      for (const flags of [[], ['--on-unavailable', 'go']])
        expect((await runIn(world, 'gate', '--timeout', '1', ...flags)).exit).to.equal(5);
      expect((await runIn(world, 'teams', '--timeout', '1')).exit).to.equal(5);
    });
  }

  it('cannot steer a terminal, nor begin a line of the log', async () => {
    const problem = { type: 'not-found', title: STEERING, status: 404, detail: STEERING };
    const errors = [{ pointer: STEERING, code: 'x', message: STEERING }];
    await answered(() => json(404, JSON.stringify({ ...problem, errors }), 'application/problem+json'));
    for (const argv of [
      ['teams'],
      ['gate'],
      ['deploy', 'start', ...DEPLOYMENT],
      ['deploy', 'run', ...DEPLOYMENT, 'true'],
    ]) {
      const { out, err } = await runIn(world, ...argv);
      expect(err, argv.join(' ')).to.contain('forged');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(out + err, argv.join(' ')).not.to.match(/[\u0000-\u0008\u000b-\u001f\u202e]|^::/m);
    }
  });

  it('end a dry run before its request with their failure, and keep nothing', async () => {
    const write = ['deploy', 'start', '--env', 'e', ...COMMIT];
    for (const [answer, code] of [
      [() => json(503, '<html>', 'text/html'), 5],
      [() => json(401, '{"type":"unauthenticated","title":"no","status":401}', 'application/problem+json'), 4],
    ] as const) {
      await answered(answer);
      for (const argv of [write, ['deploy', 'run', '--env', 'e', ...COMMIT, '--', 'touch', 'ran']])
        expect((await runIn(world, '--dry-run', '--timeout', '0.2', ...argv)).exit, argv.join(' ')).to.equal(code);
      expect(existsSync(join(world.folder, 'ran'))).to.equal(false);
      expect(kept()).to.deep.equal([]);
    }
  });
});
