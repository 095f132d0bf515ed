import { expect } from 'chai';
import { ALLOWED_CLOCK_LEAD, contains } from '../src/time.js';

describe('Interval', () => {
  it('is half-open: exactly its start is inside, exactly its end is outside', () => {
    const interval = { from: 100, to: 200 };
    expect([99, 100, 199, 200].map((at) => contains(interval, at))).to.deep.equal([false, true, true, false]);
  });
  it('is open until now without an end', () => {
    expect(contains({ from: 100, to: null }, Number.MAX_SAFE_INTEGER)).to.equal(true);
  });
  it('lets reported moments lie 5 minutes ahead', () => {
    expect(ALLOWED_CLOCK_LEAD).to.equal(300_000);
  });
});
