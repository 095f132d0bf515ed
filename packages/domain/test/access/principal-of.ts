import { type Principal, SCOPES } from '../../src/access/principal.js';
import type { Role } from '../../src/team.js';

/** A person's session with these roles. */
export const principal = (roles: Readonly<Record<string, Role>>, overrides: Partial<Principal> = {}): Principal => ({
  kind: 'session',
  id: 's1',
  userId: 'u1',
  name: 'Ada',
  scopes: SCOPES,
  roles: new Map(Object.entries(roles)),
  administrator: false,
  expiresAt: 1_000,
  ...overrides,
});
