// How a release came to be what it is: synchronous and total, and above the score, which cannot know it.

export {
  type AskedProgress,
  analyseRelease,
  type ProgressPoint,
  type ReleaseAnalysis,
  type ReleaseRecord,
  type ReleaseSummary,
} from './analyse-release.js';
export type { ProgressStep } from './movement.js';
