import { expect } from 'chai';
import { Problem } from '../../src/http/problem.js';
import { createTurns, createTurnsOfPersons } from '../../src/http/turns.js';

describe('turns', () => {
  it('are given in the order of asking, some at once, and refused to whoever would wait behind too many', async () => {
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

  it('leave their place in the queue when nobody waits for them any more', async () => {
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
    const turns = createTurnsOfPersons();
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
});
