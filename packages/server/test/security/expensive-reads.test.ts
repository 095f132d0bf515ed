import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { IssueEvent } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { HANDLER_TIME_LIMIT } from '../../src/http/limits.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import { inMemory } from '../harness/openings.js';
import { setStage } from '../harness/stage.js';

interface Begun {
  readonly finish: () => void;
  readonly ports: Ports;
}

/** A portfolio that is answered when the test says so. */
describe('Expensive reads', () => {
  let service: BareService;
  let begun: Begun[];
  let noticed: () => void = () => undefined;
  /** Resolves when so many have begun. */
  const begin = async (count: number): Promise<void> => {
    while (begun.length < count)
      await new Promise<void>((resolve) => {
        noticed = resolve;
      });
  };

  /** Milliseconds by which the clock of the process is ahead. */
  let ahead: number;
  beforeEach(async () => {
    [begun, ahead] = [[], 0];
    service = await startBare({
      monotonic: () => performance.now() + ahead,
      routes: {
        readPortfolio: async (_, { ports }) => {
          await new Promise<void>((finish) => {
            begun.push({ finish, ports });
            noticed();
          });
          return { status: 200, body: { data: [] } };
        },
      },
    });
  });
  afterEach(async () => {
    for (const { finish } of begun) finish();
    await service.close();
  });

  const caller = async (name: string) => {
    const person = await service.world.person(name);
    return { authorization: `Bearer ${await service.world.key(person, { scopes: ['read'] })}` };
  };
  const read = (headers: Record<string, string>) => ask(service.url, '/api/portfolio', { headers });
  const readAndLeave = async (headers: Record<string, string>): Promise<ClientRequest> => {
    const sent = request(`${service.url}/api/portfolio`, { headers, agent: false });
    sent.on('error', () => undefined);
    sent.end();
    await once(sent, 'finish');
    return sent;
  };

  /** Resolves when nothing more is done for a read: neither a slice of work nor a query. */
  const refusedAll = async (read: Begun | undefined): Promise<void> => {
    const { slices, stores } = read?.ports ?? service.ports;
    for (const work of [() => slices.map([1], () => 1), () => stores.users.any()])
      for (let end = ''; end !== 'RequestAborted'; await new Promise((resolve) => setImmediate(resolve)))
        end = await work().then(
          () => '',
          ({ name }: Error) => name,
        );
  };

  it('end when they were answered late, as when their caller is gone', async () => {
    const late = read(await caller('Ada'));
    await begin(1);
    ahead = HANDLER_TIME_LIMIT;
    expect((await late).status).to.equal(503);
    await refusedAll(begun[0]);
  });

  it('have the same two turns for all keys and sessions of a person', async () => {
    const person = await service.world.person('Ada');
    const key = async () => ({ authorization: `Bearer ${await service.world.key(person, { scopes: ['read'] })}` });
    const [one, other] = [await key(), await key()];
    const here = cookieOf(person);
    const elsewhere = cookieOf(await service.world.session(person.user));
    const answers = [one, other, here, elsewhere, one, other, here, elsewhere, one, other, here].map(read);
    const third = begin(3).then(() => ({ status: 'a third one has begun' }));
    expect((await Promise.race([...answers, third])).status).to.equal(429);
    const his = read(await caller('Bob'));
    await begin(3);
    for (let nth = 0; nth < 11; nth += 1) {
      await begin(nth + 1);
      begun[nth]?.finish();
    }
    expect((await Promise.all([...answers, his])).map(({ status }) => status).sort()).to.deep.equal([
      ...Array.from({ length: 11 }, () => 200),
      429,
    ]);
  });

  it('have two turns for each person, eight wait in order, the next is refused with Retry-After', async () => {
    const [ada, bob] = [await caller('Ada'), await caller('Bob')];
    const answers = Array.from({ length: 11 }, () => read(ada));
    const refused = await Promise.race(answers);
    expect(refused.status).to.equal(429);
    expect(refused.headers['retry-after']).to.equal('1');
    expect(refused.json?.detail).to.match(/nothing was done/);
    await begin(2);
    expect(begun.length).to.equal(2);
    const his = read(bob);
    await begin(3);
    begun[2]?.finish();
    expect((await his).status).to.equal(200);
    for (let nth = 0; nth < 10; nth += 1) {
      const place = nth < 2 ? nth : nth + 1;
      await begin(place + 1);
      begun[place]?.finish();
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(10);
    const again = read(ada);
    await begin(12);
    begun[11]?.finish();
    expect((await again).status).to.equal(200);
  });

  it('leave the queue when their caller is gone, and end between two slices', async () => {
    const ada = await caller('Ada');
    const first = await readAndLeave(ada);
    await begin(1);
    const second = read(ada);
    await begin(2);
    const [waiting, refused]: [ClientRequest[], Promise<unknown>[]] = [[], []];
    for (let nth = 0; nth < 12; nth += 1) {
      const sent = await readAndLeave(ada);
      waiting.push(sent);
      refused.push(once(sent, 'response').then(() => undefined));
    }
    // Of twelve eight wait; they do once four were refused.
    let answered = 0;
    await new Promise<void>((resolve) => {
      for (const each of refused)
        void each.then(
          () => {
            answered += 1;
            if (answered === 4) resolve();
          },
          () => undefined,
        );
    });
    for (const each of waiting) each.destroy();
    first.destroy();
    await refusedAll(begun[0]);
    begun[0]?.finish();
    const next = read(ada);
    await begin(3);
    expect(begun.length, 'none of those who left has begun').to.equal(3);
    for (const { finish } of begun) finish();
    expect([(await second).status, (await next).status]).to.deep.equal([200, 200]);
  });

  it('are refused to an account that was disabled while they waited for their turn', async () => {
    const person = await service.world.person('Ada');
    const key = { authorization: `Bearer ${await service.world.key(person, { scopes: ['read'] })}` };
    const running = [read(key), read(key)];
    await begin(2);
    const waiting = Array.from({ length: 9 }, () => read(key));
    // Nine wait, of whom the last is refused: the eight others wait by then.
    expect((await Promise.race(waiting)).status).to.equal(429);
    await service.ports.stores.users.setDisabled(person.user.id, service.clock.read());
    service.clock.pass(2000);
    for (const { finish } of begun) finish();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array.from({ length: 8 }, () => 401), 429]);
    expect((await Promise.all(running)).map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(begun).to.have.length(2);
  });
});

describe('an analysis of a history without end', () => {
  it('reads no more when its caller is gone, and gives its turn to the next', async () => {
    let pages = 0;
    let noticed: () => void = () => undefined;
    const endless = async (releaseId: string) => {
      pages += 1;
      noticed();
      await new Promise((resolve) => setImmediate(resolve));
      const event: IssueEvent = { issueId: `${pages}`, releaseId, at: pages, kind: 'added', type: 'task' };
      return { rows: [event], next: [pages] };
    };
    const { service, ada, inRelease } = await setStage(async () => {
      const { stores, close } = await inMemory();
      return { stores: { ...stores, issues: { ...stores.issues, eventsOf: endless } }, close };
    });
    const headers = { cookie: `shipworthy_session=${ada.secret}` };
    const path = `/api/teams/${inRelease.team_id}/projects/${inRelease.project_id}/releases/${inRelease.release_id}/analysis`;
    const sent = [1, 2].map(() => {
      const one = request(`${service.baseUrl}${path}`, { headers, agent: false });
      one.on('error', () => undefined);
      one.end();
      return one;
    });
    while (pages < 10)
      await new Promise<void>((resolve) => {
        noticed = resolve;
      });
    const next = ask(service.baseUrl, '/api/portfolio', { headers });
    for (const one of sent) one.destroy();
    expect((await next).status).to.equal(200);
    const read = pages;
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(pages).to.equal(read);
    await service.close();
  });
});
