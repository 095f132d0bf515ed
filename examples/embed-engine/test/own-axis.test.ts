import type { ReleaseFacts } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { judgeWithSecurity } from '../src/own-axis.js';

const READY: ReleaseFacts = {
  scope: { done: 3, total: 3 },
  quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 1, openItems: [] },
  verification: { passed: 9, total: 9, ranAt: 0, suite: null, commitSha: null, runs: 1 },
  stability: { succeeded: 20, failed: 0, inProgress: 0 },
};

describe('an axis of the program', () => {
  it('holds a release below its minimum, and says the least that helps', () => {
    const { gate, score, formula, ownAxes } = judgeWithSecurity(READY, 40, 50, 0);
    expect({ score, formula, decision: gate.decision }).to.deep.equal({ score: 96.66, formula: '2', decision: 'hold' });
    expect(ownAxes?.[0]).to.include({ score: 80, explanation: '40 of 50 findings fixed' });
    expect(gate.nextSteps.map(({ message }) => message)).to.deep.equal(['Security: improve 5 more findings of 50']);
  });

  it('lets it ship once enough is fixed, and not while nothing is known', () => {
    expect(judgeWithSecurity(READY, 45, 50, 0).gate.decision).to.equal('go');
    expect(judgeWithSecurity(READY, 0, 0, 0).gate.decision).to.equal('unknown');
  });
});
