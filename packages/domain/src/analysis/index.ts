export type { Lead, ProgressPoint, ReleaseRecord, ReleaseSummary, ScopeChange, ScopeFlow } from './analyse-release.js';
export { type AskedProgress, analyseRelease, type ReleaseAnalysis } from './analyse-release.js';
export type { Flows, Levels } from './movement.js';
export { MOST_POINTS, STEPS, type Step } from './movement.js';
