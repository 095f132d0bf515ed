export { type AskedProgress, analyseRelease, type ReleaseAnalysis } from './analyse-release.js';
export type { Flows, Levels } from './movement.js';
export type { ProgressPoint } from './progress.js';
export type { Lead, ReleaseRecord, ReleaseSummary } from './release-summary.js';
export type { ScopeChange, ScopeFlow } from './scope-change.js';
export { MOST_POINTS, STEPS, type Step } from './span.js';
