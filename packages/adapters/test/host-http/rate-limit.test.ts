import { expect } from 'chai';
import { budgetOf, retryAtOf } from '../../src/host-http/rate-limit.js';

const NEW_YEAR = Date.UTC(2026, 0, 1);
const limits = (remaining: string) =>
  new Headers({ 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '1767225900' });

describe('the limits of a host', () => {
  it('reads the budget whole or not at all', () => {
    const budget = { limit: 5000, remaining: 12, resetAt: 1_767_225_900_000 };
    expect(budgetOf(limits('12'), 'x-ratelimit')).to.deep.equal(budget);
    expect(budgetOf(limits('12'), 'ratelimit')).to.equal(null);
    expect(budgetOf(limits('many'), 'x-ratelimit')).to.equal(null);
    expect(budgetOf(limits('-1'), 'x-ratelimit')).to.equal(null);
  });

  it('waits as long as Retry-After says, in seconds or until a date', () => {
    expect(retryAtOf(new Headers({ 'retry-after': '90' }), 'ratelimit', NEW_YEAR)).to.equal(NEW_YEAR + 90_000);
    const date = new Headers({ 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' });
    expect(retryAtOf(date, 'ratelimit', NEW_YEAR)).to.equal(NEW_YEAR + 120_000);
    expect(retryAtOf(new Headers({ 'retry-after': 'soon' }), 'ratelimit', NEW_YEAR)).to.equal(undefined);
  });

  it('waits for the reset when nothing remains, and not before', () => {
    expect(retryAtOf(limits('0'), 'x-ratelimit', NEW_YEAR)).to.equal(1_767_225_900_000);
    expect(retryAtOf(limits('1'), 'x-ratelimit', NEW_YEAR)).to.equal(undefined);
  });
});
