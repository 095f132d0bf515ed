import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeReady, newProject, openCriticalBug } from '../service/releases.js';
import { type Service, startService } from '../service/service.js';
import { NO_ANSWERS, tamperings } from '../service/tampering.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

/** What is never to be said: a member that is not there, in JavaScript's words. */
const NONSENSE = /undefined|\[object|NaN/;
const GATED = [
  ...['deploy', 'run', '--gate', '--env', 'production', '--commit', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
  ...['--on-unavailable', 'go', '--', 'touch', 'ran'],
];

describe('shipworthy gate, and an answer that was changed on the way', () => {
  let service: Service;
  let world: StandIn;
  let text: string;
  let answer: () => Response;
  const teams: string[] = [];

  before(async () => {
    service = await startService();
    const { name, path } = await newProject(service);
    await makeReady(service, name, path);
    // A waiver in force, so that every part of the answer is there and the decision is go.
    await openCriticalBug(service, path);
    const { gate } = (await service.person.readReadiness({ path })).body.data;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    for (const { code, axis } of gate.reasons)
      if (code !== 'no_weights')
        await service.person.waiveReason({
          path,
          body: { code, ...(axis ? { axis } : {}), text: 'Known.', expires_at },
        });
    text = await fetch(`${service.url}/api/teams/${path.team_id}/projects/${path.project_id}/readiness`, {
      headers: { authorization: `Bearer ${service.key}` },
    }).then((response) => response.text());
    world = await standIn({
      env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, SHIPWORTHY_APP: name },
      fetch: async (input, init) => {
        if (String(input).includes('/readiness')) return answer();
        if (!String(input).endsWith('/api/teams')) return fetch(input, init);
        teams[0] ??= await (await fetch(input, init)).text();
        return new Response(teams[0], { headers: { 'content-type': 'application/json' } });
      },
    });
  });
  after(async () => {
    await world.remove();
    await service.stop();
  });
  const answering = (status: number, type: string, body: string) => {
    const empty = status === 204 || status === 304;
    answer = () => new Response(empty ? null : body, { status, headers: { 'content-type': type, location: '/in' } });
  };

  it('continues after a correct answer', async () => {
    answering(200, 'application/json', text);
    expect(JSON.parse(text).data.gate.decision).to.equal('go');
    const { exit, out } = await runIn(world, 'gate');
    expect([exit, out.split('\n')[0]], out).to.deep.equal([0, 'go']);
  });

  it('ends with 5 upon go of another release or project', async () => {
    for (const [pointer, id] of [
      ['/data/release/id', JSON.parse(text).data.release.id],
      ['/data/project/id', JSON.parse(text).data.project.id],
    ]) {
      answering(200, 'application/json', text.replaceAll(id, '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f'));
      const { exit, out, err } = await runIn(world, 'gate', '--on-unavailable', 'go');
      expect([exit, out], pointer).to.deep.equal([5, '']);
      expect(err).to.contain(`${pointer}: is of another`);
    }
  });

  it('ends with 0 only where the decision is exactly go, with 5 else, and says which member is amiss', async () => {
    const all = tamperings(text);
    expect(all.length).to.be.above(500);
    for (const { name, pointer, text: body } of all) {
      answering(200, 'application/json', body);
      const { exit, out, err } = await runIn(world, 'gate', '--on-unavailable', 'go');
      expect(exit, name).to.be.oneOf([0, 5]);
      expect(out + err, name).not.to.match(NONSENSE);
      if (exit === 0) {
        expect(JSON.parse(body).data.gate.decision, name).to.equal('go');
        expect(out, name).to.match(/^go\n/);
      } else {
        expect(out, name).to.equal('');
        expect(err, name).to.contain('cannot be read');
      }
      if (pointer === '/data/gate/decision') expect([exit, err].join(' '), name).to.contain('5').and.contain(pointer);
    }
  });

  it('stops at once after such an answer while it waits, and in shadow says that it could not be read', async () => {
    for (const { name, text: body } of tamperings(text).filter(({ pointer }) => pointer === '/data/gate/decision')) {
      answering(200, 'application/json', body);
      const waited = await runIn(world, 'gate', '--wait', '10m');
      expect([waited.exit, waited.out], name).to.deep.equal([5, '']);
      const shadow = await runIn(world, 'gate', '--shadow', '--json');
      expect(shadow.exit, name).to.equal(0);
      const { data } = shadow.json() as { data: Record<string, unknown> };
      expect(data, name).to.include({ decision: null, exit: 5, shadow: true, unavailable: null });
      expect(data.unreadable, name).to.have.property('code', 'unexpected-answer');
      expect(shadow.err, name).to.contain('could not be read');
    }
  });

  it('runs the command of a gated deployment only where the decision is exactly go', async () => {
    const ran = join(world.folder, 'ran');
    // The decision and the objects that hold it, changed in every way; of values beside them, only that they are removed.
    const near = tamperings(text).filter(
      ({ name, pointer }) =>
        '/data/gate/decision'.startsWith(pointer) || (name.endsWith('removed') && pointer.split('/').length <= 4),
    );
    expect(near.length).to.be.above(50);
    for (const { name, pointer, text: body } of near) {
      answering(200, 'application/json', body);
      const { exit, out, err } = await runIn(world, ...GATED);
      const hasRun = existsSync(ran);
      rmSync(ran, { force: true });
      expect([exit, out], `${name} ${err}`).to.deep.equal([hasRun ? 0 : 5, '']);
      if (hasRun) expect(JSON.parse(body).data.gate.decision, name).to.equal('go');
      if (pointer !== '/data/gate/decision') continue;
      expect(hasRun, name).to.equal(false);
      expect(err, name).to.contain(pointer);
    }
    answering(200, 'application/json', text);
    expect((await runIn(world, ...GATED)).exit).to.equal(0);
    expect(existsSync(ran)).to.equal(true);
    rmSync(ran);
  });

  it('stops after an answer that is incomplete or ambiguous', async () => {
    for (const [what, status, type, body] of NO_ANSWERS(text)) {
      answering(status, type, body);
      const gated = await runIn(world, ...GATED);
      expect([gated.exit, gated.out], `${what} ${gated.err}`).to.deep.equal([5, '']);
      expect(existsSync(join(world.folder, 'ran')), what).to.equal(false);
      for (const more of [[], ['--on-unavailable', 'go'], ['--wait', '10m']]) {
        const { exit, out, err } = await runIn(world, 'gate', '--timeout', '1', ...more);
        expect([exit, out], `${what} ${more.join(' ')} ${err}`).to.deep.equal([5, '']);
      }
    }
  });
});
