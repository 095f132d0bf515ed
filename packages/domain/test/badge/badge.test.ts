import { expect } from 'chai';
import fc from 'fast-check';
import { badgeOf } from '../../src/badge/badge.js';
import type { ReadinessReport } from '../../src/readiness/readiness-report.js';

const report = (score: number | null, decision: ReadinessReport['gate']['decision']) =>
  ({ score, gate: { decision } }) as ReadinessReport;

describe('a badge', () => {
  it('says name, decision and score, rounded down', () => {
    expect(badgeOf('1.0', report(63.39, 'hold'))).to.deep.equal({ message: '1.0: hold 63.3', decision: 'hold' });
    expect(badgeOf('1.0', report(100, 'go'))).to.deep.equal({ message: '1.0: go 100.0', decision: 'go' });
    expect(badgeOf('2', report(null, 'unknown'))).to.deep.equal({ message: '2: unknown', decision: 'unknown' });
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
