import type { HistoryPoint } from '@shipworthy/client';
import { expect } from 'chai';
import { causesText, courseText } from '../../../../src/screens/scorecard/history/history-words.js';

const AT = '2026-11-03T12:00:00.000Z';
const point = (score: number | null, decision: HistoryPoint['decision'], at = AT): HistoryPoint => ({
  at,
  score,
  coverage: 1,
  decision,
  axes: [],
  causes: [],
  cause_count: 0,
});

describe('the course of a score in words', () => {
  it('says from where to where it went, and what became of the gate', () => {
    const points = [point(null, 'unknown'), point(41.29, 'hold'), point(84.2, 'go'), point(84.26, 'go')];
    expect(courseText(points)).to.equal('From no score on Nov 3, 2026 to 84.2; the gate changed 2 times and says go.');
    expect(courseText(points.slice(1, 3))).to.contain('the gate changed once and says go');
    expect(courseText([point(10, 'hold')])).to.equal(
      'From 10.0 on Nov 3, 2026 to 10.0; the gate never changed and says hold.',
    );
    expect(courseText([])).to.equal('Nothing was recorded yet.');
  });

  it('names what moved a point by its kinds, each record once, and how many more there were', () => {
    const causes = [
      { kind: 'deployment', id: 'a', at: AT },
      { kind: 'deployment', id: 'a', at: AT },
      { kind: 'deployment', id: 'b', at: AT },
      { kind: 'test_run', id: 'c', at: AT },
    ] as const;
    expect(causesText({ causes, cause_count: 4 })).to.equal('2 deployments, 1 test run');
    expect(causesText({ causes, cause_count: 9 })).to.equal('2 deployments, 1 test run, 5 more');
    expect(causesText({ causes: [], cause_count: 0 })).to.equal('');
  });
});
