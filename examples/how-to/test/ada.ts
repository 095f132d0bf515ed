/** A signed-in person without a team, as a program that embeds the server may hand her in. */
export const ADA = {
  kind: 'session',
  id: 'session-1',
  userId: '0196a1b2-0000-7000-8000-000000000001',
  name: 'Ada',
  scopes: ['read'],
  roles: new Map(),
  administrator: false,
  expiresAt: Number.MAX_SAFE_INTEGER,
} as const;
