import { expect } from 'chai';
import {
  expiresSoon,
  KEY_LIFE,
  keyExpiryFaults,
  LONGEST_KEY_LIFE,
  mayHoldScopes,
} from '../../src/access/api-key-rules.js';
import type { Role } from '../../src/team/team.js';

const DAY = 86_400_000;
const roles = (...entries: readonly [string, Role][]) => new Map(entries);

describe('API key rules', () => {
  it('give a key 90 days unless chosen, 365 at most', () => {
    expect([KEY_LIFE, LONGEST_KEY_LIFE]).to.deep.equal([90 * DAY, 365 * DAY]);
    expect(keyExpiryFaults(365 * DAY, 0)).to.deep.equal([]);
    expect(keyExpiryFaults(365 * DAY + 1, 0)).to.have.length(1);
  });
  it('say from 14 days before that a key expires soon', () => {
    const left = [15 * DAY, 14 * DAY + 1, 14 * DAY, DAY, 0, -DAY];
    expect(left.map((ms) => expiresSoon(ms, 0))).to.deep.equal([false, false, true, true, true, true]);
  });
  it('refuse an expiry that is not after now', () => {
    const message = 'A key expires after now and within 365 days.';
    expect(keyExpiryFaults(5, 5)).to.deep.equal([{ pointer: '/expires_at', code: 'out-of-range', message }]);
    expect(keyExpiryFaults(6, 5)).to.deep.equal([]);
  });
  it('let anybody make a key that reads', () => {
    expect(mayHoldScopes(['read'], null, roles())).to.equal(true);
  });
  it('need the role member somewhere for a key that writes', () => {
    expect(mayHoldScopes(['read', 'deployments:write'], null, roles(['t1', 'viewer']))).to.equal(false);
    expect(mayHoldScopes(['test-runs:write'], null, roles(['t1', 'viewer'], ['t2', 'member']))).to.equal(true);
  });
  it('need it in the key’s own team when it has one', () => {
    const mixed = roles(['t1', 'viewer'], ['t2', 'owner']);
    expect(mayHoldScopes(['deployments:write'], 't1', mixed)).to.equal(false);
    expect(mayHoldScopes(['deployments:write'], 't2', mixed)).to.equal(true);
    expect(mayHoldScopes(['deployments:write'], 't3', mixed)).to.equal(false);
  });
});
