import { expect } from 'chai';
import { Problem } from '../../src/http/problem.js';
import { createTurns } from '../../src/http/turns.js';

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
});
