import { expect } from 'chai';
import { movementsOf, STILL } from '../../src/analysis/movement.js';
import { event } from './issue-lives.js';

describe('Movements', () => {
  it('tell what each moment changed, all its issues together', () => {
    const events = [
      event('a', 'added', 1),
      event('b', 'added', 1, 'bug'),
      event('a', 'done', 2),
      event('b', 'removed', 3, 'bug'),
    ];
    expect(movementsOf(events)).to.deep.equal([
      { ...STILL, at: 1, total: 2, bugs: 1, openBugs: 1, added: 2 },
      { ...STILL, at: 2, done: 1, completed: 1 },
      { ...STILL, at: 3, total: -1, bugs: -1, openBugs: -1, removed: 1 },
    ]);
  });
  it('let a canceled issue leave the total at its moment, and come back when it is taken up again', () => {
    const events = [event('a', 'added', 1), event('a', 'canceled', 2), event('a', 'reopened', 3)];
    expect(movementsOf(events)).to.deep.equal([
      { ...STILL, at: 1, total: 1, added: 1 },
      { ...STILL, at: 2, total: -1, canceled: 1 },
      { ...STILL, at: 3, total: 1, added: 1 },
    ]);
  });
  it('are none when a canceled issue leaves, or joins', () => {
    const left = [event('a', 'added', 1), event('a', 'canceled', 2), event('a', 'removed', 3)];
    expect(movementsOf(left)).to.have.lengthOf(2);
    expect(movementsOf([event('a', 'added', 1), event('a', 'canceled', 1)])).to.deep.equal([]);
  });
  it('move no scope when a type changes', () => {
    const events = [event('a', 'added', 1), event('a', 'removed', 2), event('a', 'added', 2, 'bug')];
    expect(movementsOf(events)[1]).to.deep.equal({ ...STILL, at: 2, bugs: 1, openBugs: 1 });
  });
  it('complete an issue each time anew, and take it back without completing it', () => {
    const kinds = ['added', 'done', 'reopened', 'done', 'done'] as const;
    const movements = movementsOf(kinds.map((kind, at) => event('a', kind, at)));
    expect(movements.map(({ done, completed }) => [done, completed])).to.deep.equal([
      [0, 0],
      [1, 1],
      [-1, 0],
      [1, 1],
    ]);
  });
  it('begin with whatever a history begins with', () => {
    expect(movementsOf([event('a', 'done', 5)])).to.deep.equal([
      { ...STILL, at: 5, done: 1, total: 1, added: 1, completed: 1 },
    ]);
    expect(movementsOf([event('a', 'removed', 5)])).to.deep.equal([]);
    expect(movementsOf([])).to.deep.equal([]);
  });
});
