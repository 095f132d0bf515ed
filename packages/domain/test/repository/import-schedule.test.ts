import { expect } from 'chai';
import fc from 'fast-check';
import { budgetPause, isGoneCheckDue, retryDue } from '../../src/repository/import-schedule.js';
import { importStateOf } from './linked-repository-of.js';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('The schedule of imports', () => {
  it('tries again after 1, 2, 4 ... minutes, an hour at most', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((attempts) => (retryDue(NOW, attempts, null) - NOW) / MINUTE);
    expect(minutes).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
  it('tries again when the host says, never at once and never later than in a day', () => {
    expect(retryDue(NOW, 5, NOW + 7)).to.equal(NOW + 7);
    expect(retryDue(NOW, 5, NOW - 7)).to.equal(NOW + 1);
    expect(retryDue(NOW, 1, NOW + 400 * DAY)).to.equal(NOW + DAY);
  });
  it('always lies ahead', () => {
    const moment = fc.option(fc.integer({ min: -1e15, max: 1e15 }), { nil: null });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), moment, (attempts, retryAt) => {
        expect(retryDue(NOW, attempts, retryAt)).to.be.within(NOW + 1, NOW + DAY);
      }),
    );
  });
  it('leaves the host alone while less than a tenth of the budget is left', () => {
    const budget = { limit: 5_000, remaining: 500, resetAt: NOW + MINUTE };
    expect(budgetPause(budget, NOW)).to.equal(null);
    expect(budgetPause({ ...budget, remaining: 499 }, NOW)).to.equal(NOW + MINUTE);
    expect(budgetPause({ ...budget, remaining: 0, resetAt: NOW }, NOW)).to.equal(null);
    expect(budgetPause({ ...budget, remaining: 0, resetAt: NOW + 400 * DAY }, NOW)).to.equal(NOW + DAY);
    expect(budgetPause(null, NOW)).to.equal(null);
  });
  it('looks for all issues once a day, but not in the first run', () => {
    expect(isGoneCheckDue(importStateOf({ completedAt: null, goneCheckedAt: null }), NOW)).to.equal(false);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: null }), NOW)).to.equal(true);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: NOW - DAY + 1 }), NOW)).to.equal(false);
    expect(isGoneCheckDue(importStateOf({ completedAt: 1, goneCheckedAt: NOW - DAY }), NOW)).to.equal(true);
  });
});
