import { expect } from 'chai';
import { turnstile } from '../../src/crypto/turnstile.js';
import { expectRefused } from '../contract/expectations.js';

/** Work that runs until it is told to end. */
const heldWork = () => {
  let inside = 0;
  let most = 0;
  const started: number[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ends,
    most: () => most,
    work: (name: number) => async () => {
      started.push(name);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => ends.push(resolve));
      inside -= 1;
      return name;
    },
  };
};

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turnstile', () => {
  it('lets two in at once, the others in order of arrival', async () => {
    const inTurn = turnstile(2, 10);
    const held = heldWork();
    const all = [1, 2, 3, 4, 5].map((name) => inTurn(held.work(name)));
    for (let round = 0; round < 5; round += 1) {
      await settle();
      expect(held.started).to.have.lengthOf(Math.min(2 + round, 5));
      held.ends.shift()?.();
    }
    expect(await Promise.all(all)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(held.started).to.deep.equal([1, 2, 3, 4, 5]);
    expect(held.most()).to.equal(2);
  });

  it('gives the place of failed work to the next', async () => {
    const inTurn = turnstile(1, 10);
    const outcomes = await Promise.allSettled([
      inTurn(() => Promise.reject(new Error('failed'))),
      inTurn(async () => 'done'),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(await inTurn(async () => 'again')).to.equal('again');
  });

  it('refuses when too many wait', async () => {
    const inTurn = turnstile(1, 1);
    const held = heldWork();
    const all = [inTurn(held.work(1)), inTurn(held.work(2))];
    await expectRefused(inTurn(held.work(3)), 'unavailable');
    for (let round = 0; round < 2; round += 1) {
      await settle();
      held.ends.shift()?.();
    }
    expect(await Promise.all(all)).to.deep.equal([1, 2]);
  });
});
