import { expect } from 'chai';
import {
  type AuditEntry,
  type AuditFilter,
  atHome,
  auditEntry,
  authorOf,
  expiresSoon,
  KEY_LIFE,
  keyExpiryFaults,
  LONGEST_KEY_LIFE,
  mayHoldScopes,
  mayMatchOutsideHome,
  networkOf,
  passesAuditFilter,
  requireRole,
  seesProject,
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
      expect(() => requireRole(principal({ t1: 'owner' }), 't1', none as unknown as Role)).to.throw(
        TypeError,
        `${none} is none`,
      );
  });
  it('lists the teams in sight in one order, for any order of the roles', () => {
    expect(teamsInSight(principal({ t2: 'viewer', t1: 'owner' }))).to.deep.equal(['t1', 't2']);
  });
});

/** A key with that home and these roles. */
const keyOf = (teamIds: readonly string[], roles: Readonly<Record<string, Role>>, projectId: string | null = null) =>
  principal(roles, { kind: 'api_key', home: { teamIds, projectId } });

describe('A project', () => {
  it('is in sight of those who see its team', () => {
    expect(seesProject(principal({ t1: 'viewer' }), { id: 'p1', teamId: 't1' })).to.equal(true);
    expect(seesProject(principal({ t1: 'viewer' }), { id: 'p1', teamId: 't2' })).to.equal(false);
    expect(seesProject(keyOf(['t1'], { t1: 'viewer' }), { id: 'p1', teamId: 't1' })).to.equal(true);
  });
  it('is all that a key made for it sees, and only while that key sees the team', () => {
    const single = keyOf(['t1'], { t1: 'viewer' }, 'p1');
    expect(seesProject(single, { id: 'p1', teamId: 't1' })).to.equal(true);
    expect(seesProject(single, { id: 'p2', teamId: 't1' })).to.equal(false);
    expect(seesProject(keyOf(['t1'], {}, 'p1'), { id: 'p1', teamId: 't1' })).to.equal(false);
  });
});

describe('The home of a key', () => {
  it('is all it sees there; a person, who has no home, sees the same everywhere', () => {
    const person = principal({ t1: 'owner', t2: 'viewer' });
    expect(atHome(person)).to.equal(person);
    const key = keyOf(['t1', 't3'], { t1: 'owner', t2: 'viewer' });
    expect(atHome(key)).to.deep.equal({ ...key, roles: new Map([['t1', 'owner']]) });
  });
  it('lets names mean projects elsewhere only where other teams are in sight, and all of its own', () => {
    expect(mayMatchOutsideHome(keyOf(['t1'], { t1: 'owner', t2: 'viewer' }))).to.equal(true);
    expect(mayMatchOutsideHome(keyOf(['t1'], { t1: 'owner' })), 'no other team').to.equal(false);
    const lost = keyOf(['t1', 't4'], { t1: 'owner', t2: 'viewer', t3: 'viewer' });
    expect(mayMatchOutsideHome(lost), 'a team of its home is out of sight').to.equal(false);
    expect(mayMatchOutsideHome(principal({ t1: 'owner', t2: 'viewer' })), 'no home').to.equal(false);
  });
});

describe('The author of a change', () => {
  it('is a person, or an API key with the person who made it', () => {
    expect(authorOf(principal({}))).to.deep.equal({ kind: 'person', name: 'Ada', userId: 'u1' });
    const key = principal({}, { kind: 'api_key', name: 'CI' });
    expect(authorOf(key)).to.deep.equal({ kind: 'api_key', name: 'CI', userId: 'u1' });
  });
});

describe('A filter of the audit log', () => {
  const entry: AuditEntry = {
    id: 'a1',
    teamId: 't1',
    at: 5,
    actor: { userId: 'u1', name: 'Ada', kind: 'session' },
    action: 'release.ship',
    resource: { type: 'release', id: 'r1' },
    address: '',
    requestId: '',
    detail: {},
  };
  const passes = (filter: Partial<AuditFilter>) => passesAuditFilter(entry, { teamId: 't1', ...filter });

  it('lets the entries of its team through that match each of its members', () => {
    const all = { userId: 'u1', action: 'release.ship', at: { from: 5, to: 6 } };
    expect([passes({}), passes(all)]).to.deep.equal([true, true]);
    for (const other of [
      { teamId: 't2' },
      { userId: 'u2' },
      { action: 'release.cancel' },
      { at: { from: 6, to: 9 } },
      { at: { from: 0, to: 5 } },
    ])
      for (const filter of [other, { ...all, ...other }])
        expect(passes(filter), JSON.stringify(filter)).to.equal(false);
  });
  it('takes the noun of actions for all actions on it, and no beginning of a word', () => {
    expect(passes({ action: 'release' })).to.equal(true);
    for (const action of ['rel', 'release.sh', 'ship', 'release.ship.late'])
      expect(passes({ action }), action).to.equal(false);
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
    expect(networkOf('::ffff:192.168.100.254')).to.equal('192.168.100.254');
  });
  it('is no IPv4 address where an IPv6 address only ends like one', () => {
    for (const text of ['2001:db8:0:1:0:ffff:102:304', '2001:db8:0:1::ffff:1.2.3.4'])
      expect(networkOf(text), text).to.equal('2001:db8:0:1::/64');
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
    for (const now of [0, 1_000 * DAY])
      expect(left.map((ms) => expiresSoon(now + ms, now))).to.deep.equal([false, false, true, true, true, true]);
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
