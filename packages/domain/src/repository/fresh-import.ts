import type { Instant } from '../instant.js';
import type { ImportState } from './import-state.js';

/** The import of a link that was just made: it begins from nothing, at once. `pendingReleaseIds`: of an earlier one that it takes the place of. */
export const freshImport = (
  linkId: string,
  now: Instant,
  pendingReleaseIds: ImportState['pendingReleaseIds'] = [],
): ImportState => ({
  linkId,
  dueAt: now,
  checkpoint: { stage: null, page: null, reading: null, marks: {} },
  startedAt: null,
  completedAt: null,
  goneCheckedAt: null,
  suspectIssueIds: [],
  pendingReleaseIds,
  counts: { milestones: 0, issues: 0, deployments: 0, testRuns: 0 },
  failure: null,
});
