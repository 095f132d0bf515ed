import type { HistoryPoint } from '@shipworthy/client';
import { expect } from 'chai';
import {
  type AnalysisPoint,
  bugsText,
  deploymentsText,
  EXAMPLE_POINTS,
  EXAMPLE_SCOPE,
  extentOf,
  flowsOf,
  moversOf,
  netText,
  progressText,
  scopeText,
  seriesOf,
  shareText,
} from '../../../src/screens/analysis/analysis-words.js';

const point = (day: number, counts: Partial<AnalysisPoint>): AnalysisPoint => ({
  from: `2026-11-0${day}T00:00:00.000Z`,
  at: `2026-11-0${day}T12:00:00.000Z`,
  done: 0,
  total: 0,
  bugs: 0,
  open_bugs: 0,
  added: 0,
  removed: 0,
  canceled: 0,
  completed: 0,
  ...counts,
});
const flow = (added: number, removed: number, canceled = 0) => ({
  added,
  removed,
  canceled,
  net: added - removed - canceled,
});

describe('the analysis in words', () => {
  it('says how far the release is, and how far it was', () => {
    const points = [point(1, { total: 3 }), point(9, { done: 4, total: 6 })];
    expect(progressText(points)).to.equal('4 of 6 issues are done; on Nov 1, 2026 it was 0 of 3.');
    expect(progressText(points.slice(0, 1))).to.equal('0 of 3 issues are done.');
    expect(progressText([])).to.equal('Nothing has happened yet.');
  });

  it('says what came and what left, before the release began and since', () => {
    const scope = { before_start: flow(5, 0), after_start: flow(3, 1, 1), change_rate: 0.2 };
    expect(scopeText(scope)).to.equal('Since start: 3 issues added, 2 left, net +1 (+20.0 %); +5 before.');
    expect(scopeText({ ...scope, change_rate: null })).not.to.contain('%');
    expect(scopeText({ ...scope, after_start: flow(0, 0), change_rate: 0 })).to.equal(
      'No scope change since start; +5 before.',
    );
    expect(scopeText({ ...scope, after_start: null })).to.equal('Before the start: 5 issues added, 0 left, net +5.');
  });

  it('says how many bugs are open', () => {
    const points = [point(1, { bugs: 3, open_bugs: 3 }), point(2, { bugs: 4, open_bugs: 1 })];
    expect(bugsText(points)).to.equal('1 of 4 bugs is open; peak 3.');
    expect(bugsText([point(1, { bugs: 1, open_bugs: 0 })])).to.equal('0 of 1 bug is open; peak 0.');
    expect(bugsText([point(1, { total: 2 })])).to.equal('No bug was reported.');
    expect(bugsText([])).to.equal('Nothing has happened yet.');
  });

  it('gives nets and shares their sign', () => {
    expect([2, 0, -3].map(netText)).to.deep.equal(['+2', '0', '−3']);
    expect([0.3333, -0.1].map(shareText)).to.deep.equal(['+33.3 %', '−10.0 %']);
  });

  it('says how deployments went, failures rounded up', () => {
    expect(deploymentsText({ succeeded: 2, failed: 1 })).to.equal('2 of 3 succeeded (33.4 % failed)');
    expect(deploymentsText({ succeeded: 2, failed: 0 })).to.equal('2 of 2 succeeded');
    expect(deploymentsText({ succeeded: 0, failed: 0 })).to.equal('none');
  });
});

describe('series of the analysis', () => {
  it('hold each value from the beginning of its span on', () => {
    const [first, second] = seriesOf(EXAMPLE_POINTS, ({ total }) => total);
    expect([first, second]).to.deep.equal([
      { at: Date.UTC(2026, 0, 5), value: 8 },
      { at: Date.UTC(2026, 0, 6), value: 10 },
    ]);
  });

  it('take what was canceled for gone', () => {
    const [first] = EXAMPLE_POINTS;
    if (first === undefined) throw new Error('The example is empty.');
    expect(flowsOf([{ ...first, added: 3, removed: 1, canceled: 2 }])).to.deep.include.members([
      { from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6) - 1, came: 3, went: 3 },
    ]);
  });

  it('reach from the first moment to the last', () => {
    expect(extentOf(EXAMPLE_POINTS)).to.deep.equal([Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 14) - 1]);
  });
});

const pointAt = (minute: number, score: number | null, decision: HistoryPoint['decision'] = 'hold'): HistoryPoint => ({
  at: `2026-11-21T10:0${minute}:00.000Z`,
  score,
  coverage: 1,
  decision,
  axes: [],
  causes: [],
  cause_count: 0,
});

describe('what moved the score', () => {
  const points = [
    pointAt(0, null, 'unknown'),
    pointAt(1, 40),
    pointAt(2, 40),
    pointAt(3, 40, 'go'),
    pointAt(4, 50, 'go'),
  ];

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

describe('the example', () => {
  it('could be a release: levels follow from what moved', () => {
    let [total, done] = [0, 0];
    for (const point of EXAMPLE_POINTS) {
      total += point.added - point.removed - point.canceled;
      done += point.completed;
      expect(point).to.deep.include({ total, done });
      expect(point.done).to.be.at.most(point.total);
      expect(point.open_bugs).to.be.within(0, point.bugs);
    }
  });

  it('says of its scope what its points show', () => {
    const { before_start, after_start } = EXAMPLE_SCOPE;
    expect(before_start.net + (after_start?.net ?? 0)).to.equal(EXAMPLE_POINTS.at(-1)?.total);
    expect((after_start?.net ?? 0) / before_start.net).to.equal(EXAMPLE_SCOPE.change_rate);
  });

  it('is the same every time, without a gap', () => {
    EXAMPLE_POINTS.forEach(({ from }, index) => {
      const before = EXAMPLE_POINTS[index - 1];
      if (before !== undefined) expect(Date.parse(from) - Date.parse(before.at)).to.equal(1);
    });
    expect(EXAMPLE_POINTS[0]?.from).to.equal('2026-01-05T00:00:00.000Z');
  });
});
