import { expect } from 'chai';
import fc from 'fast-check';
import { digestOf, verdictOf } from '../../src/github/verdict.js';

const conclusions = fc.array(
  fc.record({
    id: fc.string(),
    conclusion: fc.option(fc.constantFrom('success', 'FAILURE', 'timed_out', 'cancelled', 'STALE', 'new_word')),
    completedAt: fc.nat(),
  }),
  { minLength: 1 },
);

describe('the verdict of checks', () => {
  it('counts each check once and ends with the last one', () => {
    fc.assert(
      fc.property(conclusions, (checks) => {
        const verdict = verdictOf(checks);
        if (verdict === undefined) throw new Error('there is no verdict');
        expect(verdict.passed + verdict.failed + verdict.skipped).to.equal(checks.length);
        expect(verdict.ranAt).to.equal(Math.max(...checks.map(({ completedAt }) => completedAt)));
        expect(verdict.passed).to.equal(checks.filter(({ conclusion }) => conclusion === 'success').length);
      }),
    );
  });

  it('does not exist without a check', () => {
    expect(verdictOf([])).to.equal(undefined);
  });

  it('is named the same in any order, and otherwise when anything differs', () => {
    fc.assert(
      fc.property(conclusions, ([first, ...rest]) => {
        if (first === undefined) return;
        expect(digestOf([...rest, first])).to.equal(digestOf([first, ...rest]));
        expect(digestOf([{ ...first, completedAt: first.completedAt + 1 }, ...rest])).not.to.equal(
          digestOf([first, ...rest]),
        );
      }),
    );
  });
});
