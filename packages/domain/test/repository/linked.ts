import { freshImport, type LinkedRepository } from '../../src/repository/import-state.js';

/** A project linked with acme/shop, whose import went through at that moment and has nothing to do. */
export const linked = (
  ids: Pick<LinkedRepository['link'], 'id' | 'projectId' | 'userId'>,
  completedAt: number,
): LinkedRepository => ({
  link: {
    ...ids,
    host: 'github',
    repository: { id: 'R_shop', path: 'acme/shop', url: 'https://github.com/acme/shop', defaultBranch: 'main' },
    settings: {
      filter: { labels: [], pathPrefix: null },
      mapping: { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
      milestones: 'all',
      deployments: true,
      testRuns: 'none',
    },
    linkedAt: completedAt,
    linkedBy: 'Ada',
  },
  state: { ...freshImport(ids.id, completedAt + 60_000), completedAt },
});
