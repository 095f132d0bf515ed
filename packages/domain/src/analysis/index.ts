// The analysis of a release's history: synchronous, total and independent of the score.

export {
  type AskedProgress,
  analyseRelease,
  type ProgressPoint,
  type ReleaseAnalysis,
  type ReleaseRecord,
  type ReleaseSummary,
} from './analyse-release.js';
export type { ProgressStep } from './movement.js';
