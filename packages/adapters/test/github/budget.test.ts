import { expect } from 'chai';
import { tightest } from '../../src/github/budget.js';

const budget = (remaining: number, limit: number) => ({ remaining, limit, resetAt: 1 });

describe('the tightest budget', () => {
  it('is the one of which the smallest share is left', () => {
    expect(tightest(budget(50, 5000), budget(4, 30))).to.deep.equal(budget(50, 5000));
    expect(tightest(budget(4, 30), budget(2000, 5000))).to.deep.equal(budget(4, 30));
    expect(tightest(budget(10, 10), budget(0, 0))).to.deep.equal(budget(0, 0));
  });

  it('is the only one that is known', () => {
    expect(tightest(null, budget(1, 2))).to.deep.equal(budget(1, 2));
    expect(tightest(budget(1, 2), null)).to.deep.equal(budget(1, 2));
    expect(tightest(null, null)).to.equal(null);
  });
});
