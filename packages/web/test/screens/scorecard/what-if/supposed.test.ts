import type { ReleaseFacts } from '@shipworthy/domain/readiness';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountsOf,
  type Supposed,
  withCritical,
  withResolved,
} from '../../../../src/screens/scorecard/what-if/supposed.js';

/** 5 of 8 issues done; of 4 bugs 1 resolved, 2 of the open ones critical. */
const FACTS: ReleaseFacts = {
  scope: { done: 5, total: 8 },
  quality: { resolved: 1, total: 4, open: { critical: 2, major: 1, minor: 0, unspecified: 0 } },
  ops: { done: 0, total: 3, openItems: [] },
  verification: null,
  stability: { succeeded: 1, failed: 1, inProgress: 0 },
};

describe('amounts that are supposed', () => {
  it('are those of the release until one is moved', () => {
    expect(amountsOf(FACTS, {})).to.deep.equal({
      done: 5,
      resolved: 1,
      critical: 0,
      items: 0,
      tests: 0,
      passed: 0,
      succeeded: 1,
      failed: 1,
    });
  });

  it('count a resolved bug as a done issue, and a reopened one as an open issue', () => {
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 3))).to.include({ resolved: 3, done: 7 });
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 0))).to.include({ resolved: 0, done: 4 });
  });

  it('resolve bugs where more issues are done than are no bugs', () => {
    expect(amountsOf(FACTS, { done: 8 })).to.include({ done: 8, resolved: 4, critical: 2 });
    expect(amountsOf(FACTS, { done: 0 })).to.include({ done: 0, resolved: 0 });
  });

  it('resolve critical bugs only when they are meant, or no others are left', () => {
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 2))).to.include({ resolved: 2, critical: 0 });
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 3))).to.include({ resolved: 3, critical: 1 });
    expect(amountsOf(FACTS, withCritical(FACTS, {}, 2))).to.include({ resolved: 3, critical: 2, done: 7 });
  });

  it('stay within their bounds, whatever is moved in whatever order', () => {
    const move = fc.tuple(fc.constantFrom('done', 'resolved', 'critical'), fc.nat(500));
    fc.assert(
      fc.property(anyCase, fc.array(move, { maxLength: 6 }), ({ facts }, moves) => {
        let supposed: Supposed = {};
        for (const [what, value] of moves) {
          if (what === 'done') supposed = { ...supposed, done: value };
          else if (what === 'resolved') supposed = withResolved(facts, supposed, Math.min(value, facts.quality.total));
          else supposed = withCritical(facts, supposed, Math.min(value, facts.quality.open.critical));
        }
        const { done, resolved, critical } = amountsOf(facts, supposed);
        const { scope, quality } = facts;
        expect(done).to.be.within(resolved, scope.total - (quality.total - resolved));
        expect(resolved).to.be.within(0, quality.total);
        expect(critical).to.be.within(0, quality.open.critical);
        expect(quality.open.critical - critical).to.be.at.most(quality.total - resolved);
      }),
    );
  });
});
