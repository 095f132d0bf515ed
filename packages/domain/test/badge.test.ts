import { expect } from 'chai';
import fc from 'fast-check';
import { badgeOf } from '../src/badge.js';
import type { ReadinessReport } from '../src/readiness/report.js';

/** The report of a release of which so many of five axes that count are measured, beside one without weight. */
const report = (
  score: number | null,
  decision: ReadinessReport['gate']['decision'],
  { measured = 5, waivers = 0 } = {},
) => {
  const axes = [0, 1, 2, 3, 4].map((place) => ({ weight: 1, state: place < measured ? 'measured' : 'unmeasured' }));
  return {
    score,
    axes: [...axes, { weight: 0, state: 'unmeasured' }],
    gate: { decision, waivers: Array(waivers).fill({}) },
  } as unknown as ReadinessReport;
};

describe('a badge', () => {
  it('says name, decision and score, rounded down', () => {
    expect(badgeOf('1.0', report(63.39, 'hold'))).to.deep.equal({ message: '1.0: hold 63.3', decision: 'hold' });
    expect(badgeOf('1.0', report(100, 'go'))).to.deep.equal({ message: '1.0: go 100.0', decision: 'go' });
  });

  it('says what a score covers unless it is everything, and no score beside unknown', () => {
    const message = (...given: Parameters<typeof report>) => badgeOf('2', report(...given)).message;
    expect(message(100, 'unknown', { measured: 1 })).to.equal('2: unknown, 1 of 5 measured');
    expect(message(null, 'unknown', { measured: 0 })).to.equal('2: unknown, 0 of 5 measured');
    expect(message(63.3, 'hold', { measured: 4 })).to.equal('2: hold 63.3, 4 of 5 measured');
    expect(message(100, 'go', { measured: 1 })).to.equal('2: go 100.0, 1 of 5 measured');
  });

  it('counts own axes with a weight among those measured', () => {
    const own = (state: string, weight: number) => ({ name: 'docs', weight, state });
    const message = (...ownAxes: readonly object[]) =>
      badgeOf('2', { ...report(91, 'go'), ownAxes } as unknown as ReadinessReport).message;
    expect(message(own('unmeasured', 2), own('measured', 1))).to.equal('2: go 91.0, 6 of 7 measured');
    expect(message(own('measured', 2), own('unmeasured', 0))).to.equal('2: go 91.0');
  });

  it('names the waivers in force', () => {
    expect(badgeOf('2', report(91, 'go', { waivers: 1 })).message).to.equal('2: go with 1 waiver 91.0');
    expect(badgeOf('2', report(91, 'hold', { waivers: 2 })).message).to.equal('2: hold with 2 waivers 91.0');
  });

  it('never shows more than was reached, and less by under a tenth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        const { message } = badgeOf('x', report(hundredths / 100, 'go'));
        expect(message).to.equal(`x: go ${Math.floor(hundredths / 100)}.${Math.floor((hundredths % 100) / 10)}`);
      }),
    );
  });
});
