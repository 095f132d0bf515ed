import { expect } from 'chai';
import { SESSION_IDLE, SESSION_LENGTH, sessionOver, touchDue } from '../../src/access/session-times.js';

const session = { id: 's1', secretHash: '', userId: 'u1', createdAt: 0, lastSeenAt: 1_000, expiresAt: 604_800_000 };

describe('Session times', () => {
  it('end a session after 8 idle hours', () => {
    expect(SESSION_IDLE).to.equal(28_800_000);
    expect(sessionOver(session, 1_000 + 28_800_000 - 1)).to.equal(false);
    expect(sessionOver(session, 1_000 + 28_800_000)).to.equal(true);
  });
  it('end a session at its absolute end, after 7 days, however busy', () => {
    expect(SESSION_LENGTH).to.equal(604_800_000);
    const busy = { ...session, lastSeenAt: 604_799_999 };
    expect(sessionOver(busy, 604_799_999)).to.equal(false);
    expect(sessionOver(busy, 604_800_000)).to.equal(true);
  });
  it('write a last use once a minute at most', () => {
    expect([touchDue(null, 0), touchDue(0, 59_999), touchDue(0, 60_000)]).to.deep.equal([true, false, true]);
  });
});
