import type { ReadinessReport } from '@shipworthy/client';
import { assessRelease, DEFAULT_POLICY, judgementForm, type ReleaseFacts } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { arithmeticOf, askedText, weightText } from '../../../src/screens/axis/formula-words.js';

const NOW = Date.UTC(2026, 10, 21);
const FACTS: ReleaseFacts = {
  scope: { done: 2, total: 3 },
  quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 3, openItems: ['Rollback', 'Docs'] },
  verification: { passed: 1999, total: 2000, ranAt: NOW, suite: null, commitSha: null, runs: 1 },
  stability: { succeeded: 0, failed: 0, inProgress: 2 },
};
const reportOf = (weights = DEFAULT_POLICY.weights): ReadinessReport =>
  judgementForm(assessRelease(FACTS, { ...DEFAULT_POLICY, weights }, NOW)) as unknown as ReadinessReport;

const readingAt = (report: ReadinessReport, index: number) => {
  const reading = report.axes[index];
  if (reading === undefined) throw new Error('There are five axes.');
  return reading;
};

describe('the formula of an axis', () => {
  it('is arithmetic with its numbers, rounded down', () => {
    expect(reportOf().axes.map(arithmeticOf)).to.deep.equal([
      '100 × 2 done ÷ 3 issues = 66.6',
      '0 bugs = 100.0',
      '100 × 1 ticked ÷ 3 items = 33.3',
      '100 × 1,999 passed ÷ 2,000 tests = 99.9',
      undefined,
    ]);
  });

  it('says what the axis does to the score', () => {
    const report = reportOf();
    expect(weightText(report, readingAt(report, 0))).to.equal(
      'It weighs 1 of the 4 that are measured: 66.6 × 1 ÷ 4 = 16.6 points of the score 74.9. At 100 it would bring 8.3 more.',
    );
    expect(weightText(report, readingAt(report, 1))).to.equal(
      'It weighs 1 of the 4 that are measured: 100.0 × 1 ÷ 4 = 25.0 points of the score 74.9.',
    );
    expect(weightText(report, readingAt(report, 4))).to.equal(
      'It would weigh 1 of 5. While it is not measured, the score leaves it out.',
    );
    const light = reportOf({ ...DEFAULT_POLICY.weights, scope: 0 });
    expect(weightText(light, readingAt(light, 0))).to.contain('weight is 0');
  });

  it('says what the gate asks for, and that it may ask for nothing', () => {
    expect(askedText(60)).to.equal('Minimum 60.');
    expect(askedText(0)).to.equal('No minimum.');
  });
});
