import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newProject, type ReleasePath } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, type StandInOptions, standIn } from '../stand-in.js';
import { HEADER, rows } from './past-files.js';

describe('shipworthy import, when it is cut short or takes long', () => {
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

  it('ends with 5 when the server goes away, says how much went in, and goes on where it was', async () => {
    let first: Promise<Response> | undefined;
    const leaving: typeof fetch = async (input, init) => {
      if (!String(input).endsWith('/batch')) return fetch(input, init);
      if (first !== undefined) {
        await first;
        throw new TypeError('fetch failed', { cause: new Error('gone') });
      }
      first = fetch(input, init);
      return first;
    };
    const world = await worldWith([HEADER, ...rows(2500)], { fetch: leaving });
    const { exit, err } = await runIn(world, 'import', 'deployments', 'past.csv', '--timeout', '60');
    expect(exit).to.equal(5);
    expect(err)
      .to.contain('Until then: 1000 created, 0 there already, 0 refused.')
      .and.contain('Run the same command again');
    const again = await runIn({ ...world, fetch }, 'import', 'deployments', 'past.csv', '--json');
    expect(again.json().data).to.include({ created: 1500, duplicates: 1000 });
    expect(await stored()).to.have.length(2500);
  });

  it('ends with 5 when the server is really stopped in the middle', async () => {
    const leaving = await startService();
    const env = { SHIPWORTHY_API_URL: leaving.url, SHIPWORTHY_API_KEY: leaving.key, SHIPWORTHY_APP: 'checkout' };
    let first: Promise<Response> | undefined;
    let stopped: Promise<void> | undefined;
    const stopping: typeof fetch = async (input, init) => {
      if (!String(input).endsWith('/batch')) return fetch(input, init);
      if (first === undefined) {
        // Read to its end at once, before the server may go away.
        first = fetch(input, init).then(async (answer) => new Response(await answer.text(), answer));
        return first;
      }
      await first;
      stopped ??= leaving.stop();
      await stopped;
      return fetch(input, init);
    };
    const world = await worldWith([HEADER, ...rows(2500)], { env, fetch: stopping });
    const { exit, err } = await runIn(world, 'import', 'deployments', 'past.csv', '--timeout', '60');
    expect(exit).to.equal(5);
    expect(err).to.contain('Until then: 1000 created');
  });

  it('sends a batch again whose answer was lost, and stores it once', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/batch') || lost++ > 0) return response;
      throw new TypeError('fetch failed', { cause: new Error('reset') });
    };
    const world = await worldWith([HEADER, ...rows(10)], { fetch: losing });
    const { json } = await runIn(world, 'import', 'deployments', 'past.csv', '--json');
    expect(json().data).to.include({ created: 10, duplicates: 0 });
  });

  it('ends with 130 when it is interrupted, and says how much went in', async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const hanging: typeof fetch = async (input, init) => {
      if (!String(input).endsWith('/batch')) return fetch(input, init);
      asked();
      return new Promise<Response>(() => undefined);
    };
    const world = await worldWith([HEADER, ...rows(10)], { fetch: hanging });
    const running = runIn(world, 'import', 'deployments', 'past.csv');
    await isAsked;
    world.interrupt('SIGINT');
    const { exit, err } = await running;
    expect(exit).to.equal(130);
    expect(err).to.contain('Until then: 0 created');
  });

  it('writes its progress over on a terminal, and takes it away', async () => {
    let now = 0;
    const clock = () => {
      now += 150;
      return now;
    };
    const world = await worldWith([HEADER, ...rows(2500)], { terminal: true, now: clock });
    const { err } = await runIn(world, 'import', 'deployments', 'past.csv');
    expect(err.replaceAll('\u001b[K', '|')).to.match(/\r\d+ of 2500 rows, \d+\/s\|/);
    expect(err.trimEnd().endsWith('\r\u001b[K')).to.equal(true);
  });

  it('writes a line every ten seconds elsewhere', async () => {
    let now = 0;
    const clock = () => {
      now += 6_000;
      return now;
    };
    const { err } = await runIn(
      await worldWith([HEADER, ...rows(2500)], { now: clock }),
      'import',
      'deployments',
      'past.csv',
    );
    expect(err).to.match(/^2000 of 2500 rows, \d+\/s$/m);
  });
});
