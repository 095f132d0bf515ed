import { expect } from 'chai';
import { fitness, type Unfit } from '../../../src/knex/replica/fitness.js';

const watched = () => {
  let time = 1_000_000;
  const changes: (Unfit | null)[] = [];
  const state = fitness(
    () => time,
    (cause) => void changes.push(cause),
  );
  /** Milliseconds until it is looked at, and what that look finds. */
  const restThenFind = (cause: Unfit | null): number => {
    const from = time;
    while (!state.takeLook()) time += 1;
    state.looked(cause);
    return time - from;
  };
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { state, changes, restThenFind, pass };
};

describe('the fitness of a replica', () => {
  it('lasts until a read fails, is told once, and comes back by a look', () => {
    const { state, changes, restThenFind } = watched();
    expect(state.fit).to.equal(true);
    expect(state.takeLook(), 'what is fit needs no look').to.equal(false);
    for (const cause of ['behind', 'failed'] as const) state.failed(cause);
    expect(state.fit).to.equal(false);
    expect(restThenFind(null)).to.equal(100);
    expect(state.fit).to.equal(true);
    expect(changes).to.deep.equal(['behind', null]);
  });

  it('is looked for by one at a time', () => {
    const { state, pass } = watched();
    state.failed('failed');
    pass(100);
    expect([state.takeLook(), state.takeLook()]).to.deep.equal([true, false]);
    state.failed('failed');
    expect(state.takeLook(), 'a read that ends meanwhile is no look').to.equal(false);
    state.looked('failed');
    expect(state.fit).to.equal(false);
  });

  it('is looked for ever more rarely, at least every five seconds', () => {
    const { state, restThenFind } = watched();
    state.failed('stranger');
    const rests = Array.from({ length: 8 }, () => restThenFind('stranger'));
    expect(rests).to.deep.equal([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('that comes and goes is rested for longer and longer, until it has lasted', () => {
    const { state, restThenFind, pass } = watched();
    const restOnce = (): number => {
      state.failed('behind');
      return restThenFind(null);
    };
    expect([restOnce(), restOnce(), restOnce()]).to.deep.equal([100, 200, 400]);
    pass(5001);
    expect(restOnce()).to.equal(100);
  });
});
