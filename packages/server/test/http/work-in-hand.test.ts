import { expect } from 'chai';
import type { Exchange } from '../../src/http/exchange.js';
import { Problem } from '../../src/http/problem.js';
import { createWorkInHand } from '../../src/http/work-in-hand.js';

const exchangeOf = (method: string, address = '192.0.2.1'): Exchange =>
  ({ request: { method }, deadline: null, principal: null, address }) as unknown as Exchange;

describe('createWorkInHand', () => {
  it('answers in the stead of a handler that is late, once, and says what that means for a write', async () => {
    let now = 0;
    const answers: string[] = [];
    const work = createWorkInHand(
      () => now,
      (exchange, problem) => answers.push(`${exchange.request.method} ${problem.type} ${problem.detail}`),
      { timeLimit: 1000 },
    );
    work.begin(exchangeOf('POST'));
    now = 500;
    work.begin(exchangeOf('GET'));
    now = 1000;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(answers).to.have.length(1);
    expect(answers[0]).to.match(/^POST unavailable .*outcome is unknown.*Idempotency-Key/);
    now = 2000;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(answers).to.have.length(2);
    expect(answers[1])
      .to.match(/^GET unavailable/)
      .and.not.match(/unknown/);
    work.stop();
  });

  it('refuses what is more than can be done, and tells when it is done', async () => {
    const work = createWorkInHand(
      () => 0,
      () => undefined,
      { mostAtOnce: 2 },
    );
    const [one, two] = [exchangeOf('GET', '192.0.2.1'), exchangeOf('GET', '192.0.2.2')];
    const third = exchangeOf('GET', '192.0.2.3');
    await work.idle();
    work.begin(one);
    work.refuseWhenFull(two);
    work.begin(two);
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

  it('leaves room for others when one caller asks for too much', () => {
    const work = createWorkInHand(
      () => 0,
      () => undefined,
      { mostAtOnce: 4 },
    );
    const eager = [exchangeOf('GET'), exchangeOf('GET')];
    for (const exchange of eager) work.begin(exchange);
    expect(() => work.refuseWhenFull(exchangeOf('GET')))
      .to.throw(Problem, /of yours/)
      .with.property('type', 'too-many-requests');
    work.refuseWhenFull(exchangeOf('GET', '192.0.2.2'));
    for (const exchange of eager) work.end(exchange);
    work.refuseWhenFull(exchangeOf('GET'));
    work.stop();
  });
});
