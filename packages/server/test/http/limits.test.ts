import { connect } from 'node:net';
import { type Operation, operations } from '@shipworthy/client/contract';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  BATCHES_OF_ONE,
  createSharedLimit,
  createTurns,
  createTurnsOfPersons,
  createWorkInHand,
  READS_OF_ONE,
} from '../../src/http/limits.js';
import { Problem } from '../../src/http/problem.js';
import type { RequestContext } from '../../src/http/request.js';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

/** What is answered in the stead of a late one is noted in `answers`. */
const contextOf = (method: string, address = '192.0.2.1', answers: string[] = []): RequestContext => {
  const answerLate = ({ type, detail }: Problem) => void answers.push(`${method} ${type} ${detail}`);
  return { method, state: { deadline: null, principal: null, address, answerLate } } as unknown as RequestContext;
};

describe('createWorkInHand', () => {
  it('answers in the stead of a handler that is late, once, and says what that means for the operation', async () => {
    let now = 0;
    const answers: string[] = [];
    const work = createWorkInHand(() => now, { timeLimit: 1000 });
    const begin = (operation: Operation) => work.begin(contextOf(operation.method, '192.0.2.1', answers), operation);
    const answered = async (count: number) => {
      while (answers.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
      return answers.at(-1);
    };
    begin(operations.createProject);
    now = 500;
    begin(operations.listTeams);
    now = 1000;
    expect(await answered(1)).to.match(
      /^POST unavailable .*outcome is unknown: try again with the same Idempotency-Key/,
    );
    now = 2000;
    expect(await answered(2))
      .to.match(/^GET unavailable/)
      .and.not.match(/unknown/);
    begin(operations.createApiKey);
    now = 3000;
    expect(await answered(3)).to.match(/^POST unavailable .*outcome is unknown: look whether it was done/);
    begin(operations.archiveTeam);
    now = 4000;
    expect(await answered(4)).to.match(/outcome is unknown: try again\.$/);
    expect(answers).to.have.length(4);
    work.stop();
  });

  it('refuses what is more than can be done, and tells when it is done', async () => {
    const work = createWorkInHand(() => 0, { mostAtOnce: 2 });
    const [one, two] = [contextOf('GET', '192.0.2.1'), contextOf('GET', '192.0.2.2')];
    const third = contextOf('GET', '192.0.2.3');
    await work.idle();
    work.begin(one, operations.listTeams);
    work.refuseWhenFull(two);
    work.begin(two, operations.listTeams);
    expect(work.count).to.equal(2);
    expect(() => work.refuseWhenFull(third)).to.throw(Problem, /nothing was done/);
    let idle = false;
    const waiting = work.idle().then(() => {
      idle = true;
    });
    work.end(one);
    await Promise.resolve();
    expect(idle).to.equal(false);
    work.end(two);
    await waiting;
    work.refuseWhenFull(third);
    work.stop();
  });

  it('leaves room for others when two callers ask for all they can get', () => {
    const work = createWorkInHand(() => 0, { mostAtOnce: 100 });
    for (const address of ['192.0.2.1', '192.0.2.2'])
      for (;;) {
        const next = contextOf('GET', address);
        try {
          work.refuseWhenFull(next);
        } catch (refused) {
          expect(refused).to.have.property('type', 'too-many-requests');
          break;
        }
        work.begin(next, operations.listTeams);
      }
    expect(work.count).to.equal(75);
    work.refuseWhenFull(contextOf('GET', '192.0.2.3'));
    work.stop();
  });

  it('leaves room for others when one caller asks for too much', () => {
    const work = createWorkInHand(() => 0, { mostAtOnce: 4 });
    const eager = [contextOf('GET'), contextOf('GET')];
    for (const one of eager) work.begin(one, operations.listTeams);
    expect(() => work.refuseWhenFull(contextOf('GET')))
      .to.throw(Problem, /of yours/)
      .with.property('type', 'too-many-requests');
    work.refuseWhenFull(contextOf('GET', '192.0.2.2'));
    for (const one of eager) work.end(one);
    work.refuseWhenFull(contextOf('GET'));
    work.stop();
  });
});

const ROOM = 200_000;
const HOOKS = '/api/hooks/github';
const CALLERS = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2'] as const;

describe('room for bodies', () => {
  let service: BareService;
  const finish: (() => void)[] = [];
  before(async () => {
    service = await startBare({
      mostBodyBytes: ROOM,
      requestsPerMinute: null,
      trustedProxies: 1,
      routes: {
        receiveHook: () =>
          new Promise((resolve) =>
            finish.push(() => resolve({ status: 200, body: { data: { accepted: false, repeated: false } } })),
          ),
        signIn: () => Promise.reject(new DomainError('wrong-credentials', 'There is no such account.')),
      },
    });
  });
  after(() => service.close());

  const post = (caller: 0 | 1 | 2 | 3 | 4, length: number) =>
    ask(service.url, HOOKS, {
      method: 'POST',
      body: ' '.repeat(length),
      headers: { 'x-forwarded-for': CALLERS[caller] },
    });
  const signIn = (caller: 0 | 1 | 2 | 3 | 4, length: number) => {
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'not a password of anybody' });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': CALLERS[caller] };
    return ask(service.url, '/api/session', { method: 'POST', headers, body: body.padEnd(length) });
  };
  const inHand = async (count: number) => {
    while (finish.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const finishAll = () => {
    for (const one of finish.splice(0)) one();
  };

  it('is an eighth of all for the deliveries of one network, and others go on', async () => {
    const first = post(0, 22_000);
    await inHand(1);
    const refused = await post(0, 5_000);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.equal(1);
    expect(refused.headers.connection).to.equal('close');
    expect((await post(1, 15_000)).status, 'half of what is left').to.be.oneOf([429, 503]);
    const other = post(1, 13_000);
    await inHand(2);
    const third = post(2, 7_000);
    await inHand(3);
    expect((await post(1, 7_000)).status).to.equal(429);
    const ada = await service.world.person('Ada');
    await service.world.team(ada, 'Payments');
    const headers = { authorization: `Bearer ${await service.world.key(ada)}` };
    const asked = { method: 'POST', headers, body: `[${' '.repeat(75_000)}]` };
    expect((await ask(service.url, '/api/deployments/batch', asked)).status, 'a key has room').to.equal(422);
    expect((await signIn(2, 100)).status, 'so has who signs in').to.equal(401);
    finishAll();
    expect([(await first).status, (await other).status, (await third).status]).to.deep.equal([200, 200, 200]);
    const again = post(0, 25_000);
    await inHand(1);
    finishAll();
    expect((await again).status).to.equal(200);
  });

  it('of open operations is a sixteenth for one network', async () => {
    expect((await signIn(0, 3000)).status).to.equal(401);
    expect((await signIn(0, 3200)).status).to.equal(429);
  });

  it('is one for all addresses of an IPv6 network', async () => {
    const first = post(3, 22_000);
    await inHand(1);
    expect((await post(4, 5_000)).status).to.equal(429);
    finishAll();
    expect((await first).status).to.equal(200);
  });

  it('is given back when a sender goes away in the middle', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${HOOKS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${CALLERS[0]}\r\n`;
    socket.write(`${head}Content-Length: 24000\r\n\r\n${' '.repeat(22_000)}`);
    // A body that comes in whole waits for `finishAll`, so what answers by itself is a refusal.
    const finishing = setInterval(finishAll, 5);
    const status = async () => (await post(0, 5_000)).status;
    while ((await status()) !== 429);
    socket.destroy();
    while ((await status()) !== 200);
    expect((await post(0, 25_000)).status).to.equal(200);
    clearInterval(finishing);
  });
});

const MOST = 20;

describe('a share', () => {
  it('gives one caller half of what others leave, unless told', () => {
    const share = createSharedLimit(MOST);
    expect(share.crossed('ada', 10)).to.equal(null);
    expect(share.crossed('ada', 11)).to.equal('caller');
    share.take('ada', 10);
    expect(share.crossed('ada', 1)).to.equal('caller');
    expect(share.crossed('bob', 5)).to.equal(null);
    expect(share.crossed('bob', 6), 'who has nothing yet has not too much').to.equal('all');
    share.take('bob', 5);
    expect(share.crossed('bob', 1)).to.equal('caller');
    share.give('ada', 6);
    expect(share.crossed('bob', 3)).to.equal(null);
    const quarters = createSharedLimit(MOST, 4);
    expect(quarters.crossed('ada', 6)).to.equal('caller');
    quarters.take('ada', 5);
    expect([quarters.crossed('bob', 4), quarters.crossed('bob', 5)]).to.deep.equal([null, 'all']);
  });

  it('leaves the next caller something as long as callers are few, and the last place to a caller that has none', () => {
    const share = createSharedLimit(1000);
    const greedy = (caller: string): void => {
      while (share.crossed(caller, 1) === null) share.take(caller, 1);
    };
    for (const caller of ['a', 'b', 'c', 'd', 'e']) greedy(caller);
    expect(share.taken).to.equal(969);
    expect(share.crossed('f', 16)).to.equal(null);
    for (const caller of ['f', 'g', 'h', 'i']) greedy(caller);
    expect([share.taken, share.crossed('a', 1), share.crossed('j', 1)]).to.deep.equal([999, 'caller', null]);
    greedy('j');
    expect([share.taken, share.crossed('k', 1)]).to.deep.equal([1000, 'all']);
  });

  it('never holds more than there is, and everything is there again once all is given back', () => {
    const wish = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
        const share = createSharedLimit(MOST);
        const granted = wishes.filter(({ caller, amount }) => {
          if (share.crossed(caller, amount) !== null) return false;
          share.take(caller, amount);
          expect(share.taken).to.be.at.most(MOST);
          return true;
        });
        for (const { caller, amount } of granted) share.give(caller, amount);
        expect(share.taken).to.equal(0);
        for (const caller of ['a', 'b', 'c']) expect(share.crossed(caller, MOST / 2)).to.equal(null);
      }),
    );
  });
});

describe('turns', () => {
  it('are given in the order of asking, some at once, and refused to anyone who would wait behind too many', async () => {
    const turns = createTurns({ atOnce: 2, mostWaiting: 2 });
    const begun: string[] = [];
    const asked = ['a', 'b', 'c', 'd'].map((name) => turns.take().then(() => begun.push(name)));
    const refusal = await turns.take().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Problem).with.property('type', 'unavailable');
    expect(() => turns.refuseWhenFull()).to.throw(Problem, /nothing was done/);
    expect(begun).to.deep.equal(['a', 'b']);
    turns.giveBack();
    await asked[2];
    expect(begun).to.deep.equal(['a', 'b', 'c']);
    turns.refuseWhenFull();
    turns.giveBack();
    await Promise.all(asked);
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
    turns.giveBack();
    turns.giveBack();
    await Promise.all([turns.take(), turns.take()]);
  });

  it('leave the queue when their caller is gone', async () => {
    const turns = createTurns({ atOnce: 1, mostWaiting: 2 });
    await turns.take();
    const gone = new AbortController();
    const reason = new Error('gone');
    const left = turns.take(gone.signal).catch((error: unknown) => error);
    const next = turns.take();
    expect(() => turns.refuseWhenFull()).to.throw(Problem);
    gone.abort(reason);
    expect(await left).to.equal(reason);
    turns.refuseWhenFull();
    turns.giveBack();
    await next;
    expect(await turns.take(gone.signal).catch((error: unknown) => error)).to.equal(reason);
    turns.giveBack();
    expect(turns.idle).to.equal(true);
  });

  it('of persons are each person’s own', async () => {
    const turns = createTurnsOfPersons(READS_OF_ONE);
    const take = (person: string) => turns.of(person).take();
    await Promise.all([take('a'), take('a'), take('b')]);
    const waiting = Array.from({ length: 8 }, () => take('a'));
    expect(() => turns.of('a').refuseWhenFull())
      .to.throw(Problem)
      .with.property('type', 'too-many-requests');
    turns.of('b').refuseWhenFull();
    for (let nth = 0; nth < 10; nth += 1) turns.of('a').giveBack();
    await Promise.all(waiting);
    expect(turns.of('a').idle).to.equal(true);
    expect(turns.of('b').idle).to.equal(false);
  });

  it('at batches are half of all for one person, and others have theirs at once', async () => {
    const ofAll = createTurns();
    const turns = createTurnsOfPersons(BATCHES_OF_ONE, ofAll);
    const mine = Array.from({ length: 4 + 28 }, () => turns.of('a').take());
    expect(() => turns.of('a').refuseWhenFull())
      .to.throw(Problem)
      .with.property('type', 'too-many-requests');
    await Promise.all([1, 2, 3, 4].map(() => turns.of('b').take()));
    // A person has at most four, so a third person waits for the next one that is given back.
    const third = turns.of('c').take();
    turns.of('b').giveBack();
    await third;
    for (let nth = 0; nth < mine.length; nth += 1) turns.of('a').giveBack();
    await Promise.all(mine);
    for (let nth = 0; nth < 3; nth += 1) turns.of('b').giveBack();
    turns.of('c').giveBack();
    expect([turns.of('a').idle, turns.of('b').idle, ofAll.idle]).to.deep.equal([true, true, true]);
  });

  it('of a person are given back where all together are refused or waited for in vain', async () => {
    const ofAll = createTurns({ atOnce: 1, mostWaiting: 1 });
    const turns = createTurnsOfPersons(BATCHES_OF_ONE, ofAll);
    await turns.of('a').take();
    const gone = new AbortController();
    const waiting = turns.of('b').take(gone.signal);
    await Promise.resolve();
    expect(await refusal(turns.of('c').take())).to.include({ type: 'unavailable' });
    gone.abort(new Error('gone'));
    expect(await refusal(waiting)).to.include({ message: 'gone' });
    expect([turns.of('b').idle, turns.of('c').idle]).to.deep.equal([true, true]);
  });
});

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('It went on.'),
    (error: unknown) => error,
  );
