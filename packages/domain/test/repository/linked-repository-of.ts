import type { ImportState } from '../../src/repository/import-state.js';
import type { LinkSettings, RepositoryLink } from '../../src/repository/link.js';

/** Everything that can be imported, with any labels. */
export const settingsOf = (over: Partial<LinkSettings> = {}): LinkSettings => ({
  filter: { labels: [], pathPrefix: null },
  mapping: { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
  milestones: 'all',
  deployments: true,
  testRuns: 'checks',
  ...over,
});

/** An import that has not begun. */
export const importStateOf = (over: Partial<ImportState> = {}): ImportState => ({
  linkId: 'l1',
  dueAt: 0,
  checkpoint: { stage: null, page: null, reading: null, marks: {} },
  startedAt: null,
  completedAt: null,
  goneCheckedAt: null,
  suspectIssueIds: [],
  pendingReleaseIds: [],
  counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
  failure: null,
  ...over,
});

/** A link of the repository acme/shop. */
export const linkOf = (over: Partial<RepositoryLink> = {}): RepositoryLink => ({
  id: 'l1',
  projectId: 'p1',
  host: 'github',
  userId: 'u1',
  repository: { id: 'R1', path: 'acme/shop', url: 'https://host.example/acme/shop', defaultBranch: 'main' },
  settings: settingsOf(),
  linkedAt: 0,
  linkedBy: 'Ada',
  ...over,
});
