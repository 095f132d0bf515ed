import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReleaseEvent } from '@shipworthy/domain';
import { expect } from 'chai';
import { isEvent, type Listening, listen } from '../harness/listen.js';
import { inMemory, inPostgres, inSqlite, type OpenStores } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const STRANGE = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

type Place = Pick<ReleaseEvent, 'teamId' | 'project'>;

/** What a stage's streams are read with. */
const streamsOf = (stage: () => Stage) => {
  const open: Listening[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.leave();
  });
  const follow = async (headers: Readonly<Record<string, string>>, query = ''): Promise<Listening> => {
    const listening = await listen(`${stage().service.baseUrl}/api/events${query}`, headers);
    open.push(listening);
    return listening;
  };
  const byKey = async (query = '', headers = {}): Promise<Listening> =>
    follow({ authorization: `Bearer ${await stage().world.key(stage().ada)}`, ...headers }, query);
  return { follow, byKey };
};

/** Ships the release of the stage. */
const ship = ({ browser, inRelease }: Stage) => browser.ok('shipRelease', { path: inRelease });

const suite = (title: string, open: OpenStores) =>
  describe(`the stream of events, ${title}`, () => {
    const stage = useFreshStage(open);
    const { follow, byKey } = streamsOf(stage);

    /** Whether the stream shows an event of one place; all streams show the later one of the other place. */
    const isTold = async (listening: Listening, of: Place, last: Place): Promise<boolean> => {
      const { newId, stores, clock } = stage().service.ports;
      const event = ({ teamId, project: { id, name } }: Place): ReleaseEvent => ({
        id: newId(),
        type: 'readiness.changed',
        at: clock(),
        teamId,
        project: { id, name },
        release: { id: STRANGE, name: '1' },
        reading: { score: null, coverage: 0, decision: 'unknown' },
        before: null,
      });
      const [asked, end] = [event(of), event(last)];
      await stores.events.append([asked, end]);
      await listening.frame(({ id }) => id === end.id);
      return listening.frames.some(({ id }) => id === asked.id);
    };

    /** Feeds between processes need a moment to begin, and say when they did. */
    const begun = async (listening: Listening): Promise<Listening> => {
      await listening.frame(({ retry }) => retry !== undefined);
      if (title === 'on PostgreSQL') await listening.frame(isEvent('resync'));
      return listening;
    };

    it('tells what happens to a release, in the form webhooks have', async () => {
      const { inProject, inRelease, service } = stage();
      const listening = await begun(await byKey());
      const { headers } = listening.message;
      expect(headers).to.include({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
      await ship(stage());
      const frame = await listening.frame(isEvent('release.shipped'));
      expect(frame.id).to.match(/^[0-9a-f-]{36}$/);
      const told = JSON.parse(frame.data ?? '');
      expect(told).to.have.all.keys('type', 'timestamp', 'data');
      expect(told).to.include({ type: 'release.shipped', timestamp: new Date(service.clock.read()).toISOString() });
      expect(told.data).to.deep.include({ project: { id: inProject.project_id, name: 'checkout' } });
      expect(told.data).to.deep.include({ release: { id: inRelease.release_id, name: '2.4' } });
      expect(told.data).to.include({ team_id: inProject.team_id }).and.include.keys('score', 'coverage', 'decision');
    });

    it('tells nothing of teams out of sight, nor of other projects than the one asked for', async () => {
      const { world, ada, team } = stage();
      const eve = await world.person('Eve');
      const strange = await world.team(eve, 'Search');
      const theirs = await world.project(eve, strange, 'index');
      const other = await world.project(ada, team, 'ledger');
      const all = await begun(await byKey());
      const one = await byKey(`?project_id=${other.id}`);
      for (const [owner, project] of [
        [eve, theirs],
        [ada, other],
      ] as const)
        await world.ship(owner, project, await world.release(owner, project, '9.9'));
      await ship(stage());
      await all.frame(({ event, data = '' }) => event === 'release.shipped' && data.includes('checkout'));
      await one.frame(isEvent('release.shipped'));
      const projectsIn = (listening: Listening) =>
        new Set(listening.frames.flatMap(({ id, data }) => (id ? [JSON.parse(data ?? '').data.project.name] : [])));
      expect(projectsIn(all)).to.deep.equal(new Set(['ledger', 'checkout']));
      expect(projectsIn(one)).to.deep.equal(new Set(['ledger']));
    });

    it('ends when its key is revoked or its session ends', async () => {
      const { browser, service, world, ada } = stage();
      const made = (await browser.ok('createApiKey', { body: { name: 'screen', scopes: ['read'] } })).body.data;
      const revoked = await begun(await follow({ authorization: `Bearer ${made.key}` }));
      const session = await world.session(ada.user);
      const signedOut = await follow({ cookie: `shipworthy_session=${session.secret}` });
      const stays = await byKey();
      await browser.ok('revokeApiKey', { path: { api_key_id: made.id } });
      await service.signedIn(session).ok('signOut');
      service.clock.pass(2000);
      await Promise.all([revoked.ended, signedOut.ended]);
      await ship(stage());
      await stays.frame(isEvent('release.shipped'));
      expect(revoked.frames.some(isEvent('release.shipped'))).to.equal(false);
    });

    it('narrows with the roles of its principal, and ends when the project asked for is out of sight', async () => {
      const { world, team, project, inProject, browser, service } = stage();
      const grace = await world.person('Grace');
      await world.member(team, grace, 'viewer');
      const own = await world.team(grace, 'Own');
      const ownProject = await world.project(grace, own, 'own');
      const cookie = { cookie: `shipworthy_session=${grace.secret}` };
      const all = await begun(await follow(cookie));
      const one = await follow(cookie, `?project_id=${inProject.project_id}`);
      await browser.ok('removeMember', { path: { team_id: team.id, user_id: grace.user.id } });
      service.clock.pass(2000);
      await one.ended;
      // Its other stream narrows at its own next look.
      while (await isTold(all, { teamId: team.id, project }, { teamId: own.id, project: ownProject }));
      const told = all.frames.length;
      await ship(stage());
      await world.ship(grace, ownProject, await world.release(grace, ownProject, '1'));
      await all.frame(({ event, data = '' }) => event === 'release.shipped' && data.includes('"own"'));
      expect(all.frames.slice(told).some(({ data = '' }) => data.includes('checkout'))).to.equal(false);
    });

    it('ends when its person was removed from their last team', async () => {
      const { world, team, browser, service } = stage();
      const grace = await world.person('Grace');
      const cookie = { cookie: `shipworthy_session=${grace.secret}` };
      const waits = await begun(await follow(cookie));
      await world.member(team, grace, 'viewer');
      // Until then the person is remembered without a team.
      service.clock.pass(2000);
      const all = await follow(cookie);
      await browser.ok('removeMember', { path: { team_id: team.id, user_id: grace.user.id } });
      service.clock.pass(2000);
      await all.ended;
      expect(waits.message.closed).to.equal(false);
    });

    it('asks anyone who comes back to read again', async () => {
      const listening = await byKey('', { 'last-event-id': STRANGE });
      await listening.frame(isEvent('resync'));
      const [retry, first] = listening.frames;
      expect([retry?.retry, first?.event]).to.deep.equal(['2000', 'resync']);
    });
  });

suite('in memory', inMemory);
suite('on SQLite', inSqlite);
suite('on PostgreSQL', inPostgres);

describe('streams of events', () => {
  const stage = useFreshStage();
  const { follow, byKey } = streamsOf(stage);

  it('are for anyone who may read, and of projects in sight', async () => {
    const { service, world, ada } = stage();
    await service.anonymous.refused('followEvents', 'unauthenticated');
    const writer = service.withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    await writer.refused('followEvents', 'missing-scope');
    await service.signedIn(ada).refused('followEvents', 'not-found', { query: { project_id: STRANGE } });
    await service.signedIn(ada).refused('followEvents', 'invalid', { rawQuery: 'project_id=x' });
  });

  it('are twenty at most of one key, and may be opened again when one is left', async () => {
    const { service, world, ada } = stage();
    const key = await world.key(ada);
    const headers = { authorization: `Bearer ${key}` };
    const twenty = await Promise.all(Array.from({ length: 20 }, () => follow(headers)));
    expect(new Set(twenty.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const { headers: refused } = await service.withKey(key).refused('followEvents', 'too-many-requests');
    expect(refused).to.include({ 'retry-after': '5' });
    expect((await byKey()).status).to.equal(200);
    twenty[0]?.leave();
    let again = await follow(headers);
    while (again.status === 429) again = await follow(headers);
    expect(again.status).to.equal(200);
  });

  it('do not keep an inactive person signed in', async () => {
    const { service, world, ada } = stage();
    const idle = await world.session(ada.user);
    const listening = await follow({ cookie: `shipworthy_session=${idle.secret}` });
    const HOUR = 3_600_000;
    service.clock.pass(7 * HOUR);
    await pause(1100);
    service.clock.pass(HOUR);
    await listening.ended;
    await service.signedIn(idle).refused('readSession', 'unauthenticated');
  });

  it('answer HEAD without going on', async () => {
    const { baseUrl } = stage().service;
    const authorization = `Bearer ${await stage().world.key(stage().ada)}`;
    const answer = await fetch(`${baseUrl}/api/events`, { method: 'HEAD', headers: { authorization } });
    expect([answer.status, await answer.text()]).to.deep.equal([200, '']);
  });

  it('tell who reads too late to read anew, and go on for everybody else', async () => {
    const { service, world, ada, team, inProject } = stage();
    const reader = await byKey();
    const { hostname, port } = new URL(service.baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    const heard = (text: string) =>
      new Promise<void>((resolve) => {
        let end = '';
        const look = (bytes: Buffer): void => {
          const read = end + bytes.toString();
          end = read.slice(-text.length);
          if (!read.includes(text)) return;
          socket.off('data', look);
          resolve();
        };
        socket.on('data', look);
      });
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await world.key(ada)}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const project = { id: inProject.project_id, name: 'checkout' };
    const told = { teamId: team.id, project, release: { id: STRANGE, name: 'x'.repeat(200) }, before: null };
    const reading = { score: null, coverage: 0, decision: 'unknown' } as const;
    // More than the system keeps for both ends, so that the rest waits in the service; who reads keeps up.
    for (let times = 0; times < 300; times += 1) {
      const { newId, stores, clock } = service.ports;
      const at = clock();
      const events = Array.from({ length: 100 }, () => ({ ...told, id: newId(), at, reading }));
      await stores.events.append(events.map((event) => ({ ...event, type: 'readiness.changed' })));
      await pause(1);
    }
    socket.resume();
    await heard('event: resync');
    const late = heard('event: release.shipped');
    await ship(stage());
    await Promise.all([late, reader.frame(isEvent('release.shipped'))]);
    socket.destroy();
  });

  it('end when the service closes, which waits for none of them', async () => {
    const listening = await byKey();
    await listening.frame(({ retry }) => retry !== undefined);
    await Promise.all([stage().service.close(), listening.ended]);
    expect(listening.message.complete, 'ended, not cut off after the longest wait').to.equal(true);
  });
});
