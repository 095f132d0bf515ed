import { expect } from 'chai';
import fc from 'fast-check';
import {
  countOf,
  countText,
  coverageText,
  failureRateText,
  gainText,
  passRateText,
  scoreDigits,
} from '../../src/wording/numbers.js';

describe('numbers in words', () => {
  it('rounds scores down, for every hundredth there is', () => {
    expect(scoreDigits(79.96)).to.equal('79.9');
    expect(scoreDigits(80)).to.equal('80.0');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        expect(scoreDigits(hundredths / 100)).to.equal((Math.floor(hundredths / 10) / 10).toFixed(1));
      }),
      { numRuns: 2_000 },
    );
  });

  it('rounds failure rates up', () => {
    expect(failureRateText(0.1)).to.equal('10.0 %');
    expect(failureRateText(0.1001)).to.equal('10.1 %');
    expect(failureRateText(1 / 3)).to.equal('33.4 %');
    expect(failureRateText(0)).to.equal('0.0 %');
    expect(failureRateText(1)).to.equal('100.0 %');
  });

  it('rounds pass rates down, so that a failure is never lost', () => {
    expect(passRateText(410, 412)).to.equal('99.5 %');
    expect(passRateText(2_147_483_646, 2_147_483_647)).to.equal('99.9 %');
    expect(passRateText(3, 3)).to.equal('100.0 %');
    expect(passRateText(0, 3)).to.equal('0.0 %');
  });

  it('gives gains a sign', () => {
    expect(gainText(13.35)).to.equal('+13.3');
    expect(gainText(0)).to.equal('0.0');
  });

  it('counts in the singular and the plural', () => {
    expect(countOf(1, 'issue')).to.equal('1 issue');
    expect(countOf(0, 'issue')).to.equal('0 issues');
    expect(countOf(2, 'axis', 'axes')).to.equal('2 axes');
    for (const count of [0, 7, 999, 1_000, 12_345, 999_999, 1_234_567, -1_234, 0.875, 1_234.567_8])
      expect(countText(count)).to.equal(new Intl.NumberFormat('en').format(count));
    expect(coverageText([{ state: 'measured' }, { state: 'unmeasured' }])).to.equal('1 of 2 measured');
    const withWeight = [0, 1, 3].map((weight) => ({ state: weight === 0 ? 'unmeasured' : 'measured', weight }));
    expect(coverageText(withWeight)).to.equal('2 of 2 measured');
  });
});
