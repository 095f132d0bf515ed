import { expect } from 'chai';
import {
  auditEntry,
  expiresSoon,
  KEY_LIFE,
  keyExpiryFaults,
  LONGEST_KEY_LIFE,
  mayHoldScopes,
  networkOf,
  requireRole,
  teamsInSight,
} from '../../src/access/principal.js';
import { ROLES, type Role } from '../../src/team.js';
import { refusal } from '../refusal.js';
import { principal } from './principal-of.js';

describe('Permission', () => {
  it('lets a role do what weaker ones may, and nothing of the stronger ones', () => {
    for (const [has, role] of ROLES.entries())
      for (const [needs, needed] of ROLES.entries()) {
        const work = () => requireRole(principal({ t1: role }), 't1', needed);
        if (has >= needs) work();
        else {
          const refused = refusal(work, 'forbidden');
          expect(refused.details).to.deep.equal({ needed, role });
          expect(refused.message).to.equal(`This needs the role ${needed} in the team; yours is ${role}.`);
        }
      }
  });
  it('does not tell a team out of sight from one that does not exist', () => {
    expect(refusal(() => requireRole(principal({ t1: 'owner' }), 't2', 'viewer'), 'not-found').details).to.deep.equal({
      what: 'team',
    });
  });
  it('refuses a missing role: a caller in JavaScript may have named none', () => {
    for (const none of [undefined, null, '', 'everybody'])
      expect(() => requireRole(principal({ t1: 'owner' }), 't1', none as unknown as Role)).to.throw(TypeError);
  });
  it('lists the teams in sight in one order, for any order of the roles', () => {
    expect(teamsInSight(principal({ t2: 'viewer', t1: 'owner' }))).to.deep.equal(['t1', 't2']);
  });
});

describe('The audit entry of an action', () => {
  it('says who did what to which resource, from where', () => {
    const by = { principal: principal({ t1: 'owner' }), address: '192.0.2.7', requestId: 'r1' };
    const deed = { teamId: 't1', action: 'team.rename', resource: { type: 'team', id: 't1' } };
    expect(auditEntry('a1', 5, by, deed)).to.deep.equal({
      id: 'a1',
      at: 5,
      ...deed,
      actor: { userId: 'u1', name: 'Ada', kind: 'session' },
      address: '192.0.2.7',
      requestId: 'r1',
      detail: {},
    });
  });
});

describe('The network of an address', () => {
  it('is an IPv4 address, also one that is written as IPv6', () => {
    for (const text of ['1.2.3.4', '::ffff:1.2.3.4', '::FFFF:1.2.3.4', '0:0:0:0:0:ffff:102:304', '::ffff:102:304'])
      expect(networkOf(text), text).to.equal('1.2.3.4');
  });
  it('is the subscriber of an IPv6 address, however it is spelt', () => {
    for (const text of [
      '2001:db8:0:1:2:3:4:5',
      '2001:DB8:0:1::',
      '2001:0db8:0000:0001:ffff::1',
      '2001:db8::1:0:0:1.2.3.4',
      '2001:db8:0:1::1%eth0',
    ])
      expect(networkOf(text), text).to.equal('2001:db8:0:1::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::')).to.equal('fe80:0:0:0::/64');
  });
  it('is what it was given where that is no address', () => {
    expect(networkOf('')).to.equal('');
  });
});

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
