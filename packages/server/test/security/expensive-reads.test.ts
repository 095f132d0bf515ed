import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { Slices } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

interface Begun {
  readonly finish: () => void;
  readonly slices: Slices;
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

  beforeEach(async () => {
    begun = [];
    service = await startBare({
      routes: {
        readPortfolio: async (_, { ports }) => {
          await new Promise<void>((finish) => {
            begun.push({ finish, slices: ports.slices });
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

  it('have two turns for each caller, eight wait in order, the next is refused with Retry-After', async () => {
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
    const [left] = begun;
    const ended = async (): Promise<string> => {
      for (;;) {
        const end = await (left?.slices.map([1], () => 1) ?? Promise.resolve([])).then(
          () => null,
          (error: Error) => error.name,
        );
        if (end !== null) return end;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect(await ended()).to.equal('RequestAborted');
    left?.finish();
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
