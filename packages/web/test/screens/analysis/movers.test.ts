import type { HistoryPoint } from '@shipworthy/client';
import { expect } from 'chai';
import { moversOf } from '../../../src/screens/analysis/movers.js';

const point = (minute: number, score: number | null, decision: HistoryPoint['decision'] = 'hold'): HistoryPoint => ({
  at: `2026-11-21T10:0${minute}:00.000Z`,
  score,
  coverage: 1,
  decision,
  axes: [],
  causes: [],
  cause_count: 0,
});

describe('what moved the score', () => {
  const points = [point(0, null, 'unknown'), point(1, 40), point(2, 40), point(3, 40, 'go'), point(4, 50, 'go')];

  it('are the points that changed score or decision, the latest first', () => {
    expect(moversOf(points, 9).map(({ point: { at }, before }) => [at.slice(14, 16), before])).to.deep.equal([
      ['04', 40],
      ['03', 40],
      ['01', null],
      ['00', null],
    ]);
  });

  it('are as many as asked for', () => {
    expect(moversOf(points, 1).map(({ point: { score } }) => score)).to.deep.equal([50]);
    expect(moversOf([], 3)).to.deep.equal([]);
  });
});
