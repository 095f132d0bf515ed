import type { ProjectAt } from '../../src/project.js';

/** A project with a window [100, 200) of release r1. */
export const projectAt = (overrides: Partial<ProjectAt> = {}, id = 'p1', teamId = 't1', name = 'Shop'): ProjectAt => ({
  project: { id, teamId, name, slug: 'shop', version: 1, createdAt: 0 },
  environments: null,
  releases: [{ id: 'r1', name: '1.0', startsAt: 100, endsAt: 200, shippedAt: null }],
  ...overrides,
});
