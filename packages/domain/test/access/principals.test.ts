import { expect } from 'chai';
import type { ApiKey } from '../../src/access/api-key.js';
import { keyPrincipal, sessionPrincipal } from '../../src/access/principals.js';
import type { Role } from '../../src/team/team.js';

const roles = new Map<string, Role>([
  ['t1', 'owner'],
  ['t2', 'viewer'],
]);
const user = {
  id: 'u1',
  email: 'ada@example.com',
  name: 'Ada',
  emailVerified: true,
  administrator: true,
  disabledAt: null,
  createdAt: 0,
};
const key: ApiKey = {
  id: 'k1',
  userId: 'u1',
  name: 'CI',
  scopes: ['read'],
  teamId: null,
  projectId: null,
  homeTeams: [],
  barredTeams: [],
  hash: '',
  prefix: 'swk_',
  createdAt: 0,
  expiresAt: 9,
  lastUsedAt: null,
  lastUsedAddress: null,
  revokedAt: null,
};

describe('Principals', () => {
  it('give a session every scope and the person’s roles', () => {
    const session = { id: 's1', secretHash: '', userId: 'u1', createdAt: 0, lastSeenAt: 0, expiresAt: 7 };
    const made = sessionPrincipal(session, user, roles);
    expect(made.scopes).to.deep.equal(['read', 'deployments:write', 'test-runs:write']);
    expect(made).to.include({ kind: 'session', id: 's1', name: 'Ada', administrator: true, expiresAt: 7, roles });
  });
  it('give a key its own scopes and its maker’s roles, but never administration', () => {
    const made = keyPrincipal(key, roles);
    expect(made).to.deep.include({
      kind: 'api_key',
      id: 'k1',
      name: 'CI',
      scopes: ['read'],
      administrator: false,
      roles,
    });
  });
  it('narrow a key of one team to that team', () => {
    expect([...keyPrincipal({ ...key, teamId: 't2' }, roles).roles]).to.deep.equal([['t2', 'viewer']]);
  });
  it('leave a key of a team its maker has left nothing to see', () => {
    expect(keyPrincipal({ ...key, teamId: 't3' }, roles).roles.size).to.equal(0);
  });
});
