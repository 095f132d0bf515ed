import { expect } from 'chai';
import { Problem } from '../../src/http/problem.js';
import type { RequestContext } from '../../src/http/request.js';
import { createAnswerRoom, createBodyRoom } from '../../src/http/room.js';
import { ask } from '../harness/ask.js';
import { type BareService, cookieOf, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const KIB = 1024;

/** A request of that person, whose answer is sent once the test closes it. */
const requestOf = (userId: string, method = 'GET') => {
  const closing: (() => void)[] = [];
  const res = { closed: false, once: (_: 'close', call: () => void) => closing.push(call) };
  const ctx = { method, res, state: { principal: { userId }, address: '' } } as unknown as RequestContext;
  return { ctx, close: () => closing.splice(0).forEach((call) => void call()) };
};

const refusalOf = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.type;
    throw error;
  }
};

describe('room for the bodies of persons', () => {
  const stateOf = (userId: string) => ({ principal: { userId }, address: '', operation: null, held: 0 }) as never;

  it('is left to a third one when two take all they can get', () => {
    const bodies = createBodyRoom(64);
    const states = ['a', 'b', 'c'].map(stateOf);
    const most = states.map((state) => {
      let taken = 0;
      while (bodies.take(state, 1) === null) taken += 1;
      return taken;
    });
    expect(most).to.deep.equal([32, 16, 8]);
    for (const state of states) bodies.giveBack(state);
    expect(bodies.taken).to.equal(0);
  });
});

describe('room for answers', () => {
  const text = (kib: number) => 'x'.repeat(kib * KIB);

  it('is half of all for one person, and given back when an answer was sent', () => {
    const room = createAnswerRoom(400 * KIB);
    const first = requestOf('ada');
    room.take(first.ctx, text(150));
    const more = requestOf('ada');
    expect(refusalOf(() => room.take(more.ctx, text(60)))).to.equal('too-many-requests');
    expect(refusalOf(() => room.take(requestOf('bob').ctx, text(100)))).to.equal(null);
    expect(refusalOf(() => room.take(requestOf('eve').ctx, text(100)))).to.equal('unavailable');
    first.close();
    expect(room.taken).to.equal(100 * KIB);
    expect(refusalOf(() => room.take(more.ctx, text(60)))).to.equal(null);
  });

  it('is needed by what is answered with a long text only', () => {
    const room = createAnswerRoom(100 * KIB);
    for (let times = 0; times < 100; times += 1) room.take(requestOf('ada').ctx, text(15));
    room.take(requestOf('ada', 'HEAD').ctx, text(90));
    const gone = requestOf('ada');
    Object.assign(gone.ctx.res, { closed: true });
    room.take(gone.ctx, text(90));
    expect(room.taken).to.equal(0);
  });

  it('refuses a caller with too much unread before anything is done, and answers what was done all the same', () => {
    const room = createAnswerRoom(100 * KIB);
    const change = requestOf('ada', 'POST');
    room.take(change.ctx, text(80));
    expect(room.taken).to.equal(80 * KIB);
    expect(refusalOf(() => room.refuseWhenFull(change.ctx.state))).to.equal('too-many-requests');
    expect(
      refusalOf(() => room.refuseWhenFull(requestOf('bob').ctx.state)),
      'who left nothing',
    ).to.equal(null);
    change.close();
    expect(refusalOf(() => room.refuseWhenFull(change.ctx.state))).to.equal(null);
    expect(room.taken).to.equal(0);
  });
});

describe('answers that are not read', () => {
  const text = JSON.stringify({ data: [], more: 'x'.repeat(24 * KIB) });
  /** Answers are held back, as by a caller that reads nothing, until these are called. */
  const readings: (() => void)[] = [];
  let service: BareService;
  let ada: Person;
  let bob: Person;
  before(async () => {
    service = await startBare({
      mostAnswerBytes: 76 * KIB,
      routes: {
        listTeams: async () => ({ status: 200, text }),
        createTeam: async () => expect.fail('It was done.'),
        exportPortfolio: async () => ({ status: 200, portions: [Buffer.alloc(60 * KIB)], fileName: 'portfolio.csv' }),
      },
      around: (handler) => (request, response) => {
        const end = response.end.bind(response);
        if (request.headers['x-slow'] !== undefined)
          response.end = (sent?: unknown) => {
            readings.push(() => end(sent));
            return response;
          };
        handler(request, response);
      },
    });
    ada = await service.world.person('Ada');
    bob = await service.world.person('Bob');
  });
  after(() => service.close());

  const read = (by: Person, headers = {}) =>
    ask(service.url, '/api/teams', { headers: { ...cookieOf(by), ...headers } });

  it('are bounded: who left too many is refused, others are served, and all goes on once they were read', async () => {
    const slow = read(ada, { 'x-slow': 'yes' });
    while ((await read(ada)).status !== 429);
    const refused = await read(ada);
    expect(refused.headers['retry-after']).to.equal('1');
    const created = { method: 'POST', headers: cookieOf(ada), body: { name: 'Payments' } };
    expect((await ask(service.url, '/api/teams', created)).status).to.equal(429);
    expect((await read(bob)).status).to.equal(200);
    for (const reading of readings) reading();
    expect((await slow).text).to.equal(text);
    while ((await read(ada)).status !== 200);
  });

  it('refuse a file that is too long as a problem, not as a file', async () => {
    const { status, headers } = await ask(service.url, '/api/portfolio.csv', { headers: cookieOf(bob) });
    expect([status, headers['content-type']]).to.deep.equal([429, 'application/problem+json; charset=utf-8']);
    expect(headers).not.to.have.property('content-disposition');
  });
});
