import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug, type ReleasePath } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { neverAnswered, runIn, type StandIn, standIn } from '../stand-in.js';

const problem = (status: number, type: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: `/api/docs/problems/${type}`, title: type, status, detail: type }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
const page = (status: number) =>
  new Response('<html>Sign in</html>', { status, headers: { 'content-type': 'text/html' } });
const refused = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
};
const untrusted = () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  throw new TypeError('fetch failed', { cause });
};

describe('shipworthy gate, when the server cannot be asked', () => {
  const worlds: StandIn[] = [];
  const worldWith = async (fetch: typeof globalThis.fetch, env: Record<string, string> = {}): Promise<StandIn> => {
    const settings = { SHIPWORTHY_API_URL: 'http://127.0.0.1:9', SHIPWORTHY_API_KEY: `swk_${'c'.repeat(36)}` };
    const world = await standIn({ env: { ...settings, ...env }, fetch });
    worlds.push(world);
    return world;
  };
  afterEach(async () => {
    for (const world of worlds.splice(0)) {
      expect(world.out() + world.err()).not.to.contain('swk_c');
      await world.remove();
    }
  });

  for (const [what, fetch] of [
    ['nothing listens', refused],
    ['its certificate is not trusted', untrusted],
    ['it does not answer in time', neverAnswered],
    [
      'it limits the rate for longer than there is time',
      async () => problem(429, 'too-many-requests', { 'retry-after': '60' }),
    ],
    ['it is not ready', async () => problem(503, 'unavailable')],
    ['it fails', async () => problem(500, 'internal')],
    ['a balancer answers for it', async () => page(502)],
  ] as const)
    it(`holds with 5 when ${what}, and continues with a loud warning with --on-unavailable go`, async () => {
      const world = await worldWith(fetch);
      const held = await runIn(world, 'gate', '--timeout', '0.2', '--json');
      expect(held.exit).to.equal(5);
      expect(held.json().error).to.include({ exit: 5 });
      const gone = await runIn(world, 'gate', '--timeout', '0.2', '--on-unavailable', 'go');
      expect([gone.exit, gone.out]).to.deep.equal([0, 'unavailable\n']);
      expect(gone.err).to.contain('warning: GOING ON WITHOUT A VERDICT');
      const shadow = await runIn(world, 'gate', '--timeout', '0.2', '--shadow', '--json');
      expect(shadow.exit).to.equal(0);
      expect(shadow.json().data).to.include({ decision: null, exit: 5, shadow: true });
    });

  it('leaves no earlier signed verdict where it gets none, with any exit code', async () => {
    const world = await worldWith(refused);
    const file = join(world.folder, 'verdict.json');
    for (const [more, exit] of [
      [[], 5],
      [['--on-unavailable', 'go'], 0],
      [['--shadow'], 0],
    ] as const) {
      writeFileSync(file, '{"payload": "an earlier verdict"}');
      const command = ['gate', '--timeout', '0.2', '--signed', 'verdict.json', ...more];
      expect((await runIn(world, ...command, '--dry-run')).exit).to.equal(exit);
      expect(readFileSync(file, 'utf8'), 'a dry run writes nothing').not.to.equal('');
      expect((await runIn(world, ...command)).exit).to.equal(exit);
      expect(readFileSync(file, 'utf8')).to.equal('');
    }
  });

  for (const [what, exit, fetch] of [
    ['a page with status 200', 5, async () => page(200)],
    ['a redirect to a sign-in page', 5, async () => new Response(null, { status: 302, headers: { location: '/in' } })],
    ['a page with status 404', 5, async () => page(404)],
    ['a page with status 401', 4, async () => page(401)],
    ['a page with status 403', 4, async () => page(403)],
    ['that the key is rejected', 4, async () => problem(401, 'unauthenticated')],
    ['that something is forbidden', 4, async () => problem(403, 'something-new')],
    ['that nothing is there', 2, async () => problem(404, 'not-found')],
    ['that the request is invalid', 2, async () => problem(422, 'invalid')],
  ] as const)
    it(`stops after ${what}`, async () => {
      const world = await worldWith(fetch);
      expect((await runIn(world, 'gate', '--on-unavailable', 'go', '--timeout', '60')).exit).to.equal(exit);
    });

  it('ends with 5, never with a verdict, when what is answered makes no sense', async () => {
    const world = await worldWith(async () => Response.json({}));
    for (const more of [[], ['--on-unavailable', 'go'], ['--shadow', '--signed', 'verdict.json'], ['--wait', '1m']])
      expect((await runIn(world, 'gate', ...more)).exit, more.join(' ')).to.equal(5);
    const shadow = await runIn(world, 'gate', '--shadow');
    expect([shadow.exit, shadow.out]).to.deep.equal([0, 'unreadable\n']);
    expect(shadow.err).to.contain('/data: is missing').and.contain('would be 5');
  });

  describe('and while it waits', () => {
    let service: Service;
    let name: string;
    let path: ReleasePath;
    before(async () => {
      service = await startService();
    });
    beforeEach(async () => {
      ({ name, path } = await newProject(service));
      await makeReady(service, name, path);
    });
    after(() => service.stop());
    const env = () => ({ SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name });

    it('goes as soon as the gate does, having read the report once only', async () => {
      const bug = await openCriticalBug(service, path);
      const statuses: number[] = [];
      const world = await worldWith(async (input, init) => {
        const response = await fetch(input, init);
        if (String(input).endsWith('/readiness')) statuses.push(response.status);
        return response;
      }, env());
      const running = runIn(world, 'gate', '--wait', '1m');
      while (statuses.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
      await service.person.changeIssue({ path: { ...path, issue_id: bug }, body: { state: 'done' } });
      const { exit, out, err } = await running;
      expect(exit).to.equal(0);
      expect(out).to.match(/^go\n/);
      expect(err).to.match(/^hold: 70\.0, 5 of 5 measured; waiting for go\.\n$/);
      expect(statuses.filter((status) => status === 200)).to.have.length(2);
      expect(statuses.filter((status) => status === 304).length).to.be.greaterThan(2);
    });

    it('ends with 8 when its time is over', async () => {
      await openCriticalBug(service, path);
      const world = await worldWith(fetch, env());
      const { exit, out, err } = await runIn(world, 'gate', '--wait', '100ms');
      expect([exit, out.split('\n')[0]]).to.deep.equal([8, 'hold']);
      expect(err).to.contain('The time to wait is over.');
      expect((await runIn(world, 'gate', '--wait', '50ms', '--shadow')).exit).to.equal(0);
    });

    it('stops reading an endless list of releases when its time is over', async () => {
      let pages = 0;
      const world = await worldWith(async (input, init) => {
        if (!String(input).includes('/releases?')) return fetch(input, init);
        init?.signal?.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 10));
        pages += 1;
        return Response.json({ data: [], next_cursor: `page-${pages}` });
      }, env());
      const { exit, err } = await runIn(world, 'gate', '--release', 'none', '--wait', '50ms');
      expect(exit, err).to.equal(5);
      expect(err).to.contain('no verdict within 1000 ms');
    });

    it('bears that the server is away for a while', async () => {
      let world: Awaited<ReturnType<typeof worldWith>> | undefined;
      let refusedAfterwards = 0;
      const away: typeof fetch = async (input, init) => {
        if (refusedAfterwards === 2) return fetch(input, init);
        if (world?.err().includes('cannot be asked') === true) refusedAfterwards += 1;
        return refused();
      };
      world = await worldWith(away, env());
      const { exit, err } = await runIn(world, 'gate', '--wait', '5m', '--timeout', '5');
      expect(exit).to.equal(0);
      expect(err.match(/cannot be asked/g)).to.have.length(1);
    });

    it('ends with 5 when the server goes away for good after it said hold, with any --on-unavailable', async () => {
      await openCriticalBug(service, path);
      const run = async (...more: string[]) => {
        let world: Awaited<ReturnType<typeof worldWith>> | undefined;
        const leaving: typeof fetch = async (input, init) =>
          world?.err().includes('hold: ') === true ? refused() : fetch(input, init);
        world = await worldWith(leaving, env());
        return runIn(world, 'gate', '--wait', '3s', '--timeout', '1', ...more);
      };
      expect((await run()).exit).to.equal(5);
      const { exit, err } = await run('--on-unavailable', 'go');
      expect(exit).to.equal(5);
      expect(err).to.contain('hold: ').and.not.contain('GOING ON WITHOUT A VERDICT');
    });

    it('ends with 0 when the server was never there, and that is wanted', async () => {
      const world = await worldWith(refused, env());
      const argv = ['gate', '--wait', '500ms', '--timeout', '0.1'];
      expect((await runIn(world, ...argv)).exit).to.equal(5);
      expect((await runIn(world, ...argv, '--on-unavailable', 'go')).exit).to.equal(0);
    });

    it('ends with 5 when the server is really stopped while it waits', async () => {
      const leaving = await startService();
      const world = await worldWith(fetch, { SHIPWORTHY_API_URL: leaving.url, SHIPWORTHY_API_KEY: leaving.key });
      const running = runIn(world, 'gate', '--wait', '5s', '--timeout', '5');
      while (!world.err().includes('hold: ')) await new Promise((resolve) => setTimeout(resolve, 10));
      await leaving.stop();
      const { exit, err } = await running;
      expect(exit).to.equal(5);
      expect(err).to.contain('cannot be asked');
    });

    it('ends with 130 when it is interrupted', async () => {
      await openCriticalBug(service, path);
      const world = await worldWith(fetch, env());
      const running = runIn(world, 'gate', '--wait', '1m');
      while (!world.err().includes('waiting')) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(world.interrupt('SIGINT')).to.equal(true);
      expect((await running).exit).to.equal(130);
    });
  });
});
