import { expect } from 'chai';
import { movementsOf, STILL } from '../../src/analysis/movement.js';
import { progressOf, standingAt } from '../../src/analysis/progress.js';
import { DAY, event, HOUR, START } from './issue-lives.js';

const movements = movementsOf([
  event('a', 'added', START - DAY),
  event('b', 'added', START + HOUR, 'bug'),
  event('a', 'done', START + DAY),
  event('b', 'canceled', START + 3 * DAY),
]);

describe('Progress', () => {
  it('stands at every point on all that happened before, and moves by what happened within', () => {
    const points = progressOf(movements, 'day', { from: START, at: START + 3 * DAY - 1 });
    const day = (place: number) => ({ from: START + place * DAY, at: START + (place + 1) * DAY - 1 });
    expect(points).to.deep.equal([
      { ...STILL, ...day(0), total: 2, bugs: 1, openBugs: 1, added: 1 },
      { ...STILL, ...day(1), done: 1, total: 2, bugs: 1, openBugs: 1, completed: 1 },
      { ...STILL, ...day(2), done: 1, total: 2, bugs: 1, openBugs: 1 },
    ]);
  });
  it('has a point for each change when asked so', () => {
    const points = progressOf(movements, 'change', { from: START + HOUR, at: START + 9 * DAY });
    expect(points.map(({ at, total }) => [at, total])).to.deep.equal([
      [START + HOUR, 2],
      [START + DAY, 2],
      [START + 3 * DAY, 1],
    ]);
  });
  it('is known at any moment, that moment included', () => {
    expect(standingAt(movements, START - DAY - 1)).to.deep.equal(STILL);
    expect(standingAt(movements, START - DAY)).to.include({ total: 1, added: 1 });
    expect(standingAt(movements, START + DAY)).to.include({ total: 2, done: 1, openBugs: 1 });
  });
});
