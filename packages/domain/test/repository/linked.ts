import type { LinkedRepository } from '../../src/repository/repository-link-store.js';

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
  state: {
    linkId: ids.id,
    dueAt: completedAt + 60_000,
    checkpoint: { stage: null, page: null, reading: null, marks: {} },
    startedAt: null,
    completedAt,
    goneCheckedAt: null,
    suspectIssueIds: [],
    pendingReleaseIds: [],
    counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
    failure: null,
  },
});
