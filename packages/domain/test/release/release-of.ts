import type { Release } from '../../src/release/release.js';

/** A planned release without a window. */
export const releaseOf = (overrides: Partial<Release> = {}): Release => ({
  id: 'r1',
  projectId: 'p1',
  name: '1.0',
  state: 'planned',
  startsAt: null,
  targetAt: null,
  shippedAt: null,
  canceledAt: null,
  note: null,
  externalId: null,
  version: 1,
  createdAt: 10,
  ...overrides,
});
