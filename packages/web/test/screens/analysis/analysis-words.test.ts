import { expect } from 'chai';
import {
  bugsText,
  deploymentsText,
  longText,
  netText,
  type ProgressPoint,
  progressText,
  scopeText,
  shareText,
} from '../../../src/screens/analysis/analysis-words.js';

const point = (day: number, counts: Partial<ProgressPoint>): ProgressPoint => ({
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
    expect(scopeText(scope)).to.equal(
      'Since the release began, 3 issues came and 2 left: net +1 (+20.0 % of what was in it then). Before, net +5.',
    );
    expect(scopeText({ ...scope, change_rate: null })).not.to.contain('%');
    expect(scopeText({ ...scope, after_start: null })).to.equal(
      '5 issues came and 0 left: net +5. The release has not begun yet.',
    );
  });

  it('says how many bugs are open', () => {
    const points = [point(1, { bugs: 3, open_bugs: 3 }), point(2, { bugs: 4, open_bugs: 1 })];
    expect(bugsText(points)).to.equal('1 of 4 bugs is open; the highest point is 3.');
    expect(bugsText([point(1, { bugs: 1, open_bugs: 0 })])).to.equal('0 of 1 bug is open; the highest point is 0.');
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

  it('counts long spans in days', () => {
    expect(longText(7_440)).to.equal('2 h 4 min');
    expect(longText(12.4 * 86_400)).to.equal('12 days');
  });
});
