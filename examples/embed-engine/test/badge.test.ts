import type { ReleaseFacts } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { badgeText } from '../src/badge.js';

const FACTS: ReleaseFacts = {
  scope: { done: 3, total: 3 },
  quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 1, openItems: [] },
  verification: { passed: 9, total: 10, ranAt: 0, suite: null, commitSha: null, runs: 1 },
  stability: { succeeded: 20, failed: 0, inProgress: 0 },
};

describe('a badge by the engine without next steps', () => {
  it('says decision and score', () => {
    expect(badgeText(FACTS, 0)).to.equal('hold 98');
  });

  it('says unknown where nothing is measured', () => {
    const nothing = {
      scope: { done: 0, total: 0 },
      ops: { done: 0, total: 0, openItems: [] },
      verification: null,
      stability: { succeeded: 0, failed: 0, inProgress: 0 },
    };
    expect(badgeText({ ...FACTS, ...nothing }, 0)).to.equal('unknown');
  });

  it('refuses facts that do not fit together', () => {
    expect(() => badgeText({ ...FACTS, scope: { done: 4, total: 3 } }, 0)).to.throw(TypeError, '/facts/scope/done');
  });
});
