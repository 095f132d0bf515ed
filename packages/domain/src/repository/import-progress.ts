import type { Instant } from '../instant.js';
import { ATTEMPTS_PER_PAGE, RUN_EVERY } from './import-schedule.js';
import {
  IMPORT_STAGES,
  type ImportCheckpoint,
  type ImportCounts,
  type ImportFailure,
  type ImportStage,
  type ImportState,
} from './import-state.js';
import type { LinkSettings } from './repository-link.js';

/** How far a page brought its stage. */
export interface StageProgress
  extends Pick<ImportCheckpoint, 'marks'>,
    Partial<Pick<ImportState, 'goneCheckedAt' | 'suspectIssueIds' | 'pendingReleaseIds'>> {
  /** Continues the stage; null: it is complete. */
  readonly next: string | null;
  /** What the stage will have read when it is complete; null: its mark stays. */
  readonly reading: ImportCheckpoint['reading'];
}

const NO_COUNTS: ImportCounts = { milestones: 0, issues: 0, deployments: 0, testRuns: 0 };

const isAsked = (stage: ImportStage, { milestones, deployments, testRuns }: LinkSettings): boolean => {
  if (stage === 'milestones') return milestones !== 'none';
  if (stage === 'deployments' || stage === 'open_deployments') return deployments;
  return stage !== 'test_runs' || testRuns !== 'none';
};

const stageAfter = (stage: ImportStage | null, settings: LinkSettings): ImportStage | null => {
  const later = stage === null ? IMPORT_STAGES : IMPORT_STAGES.slice(IMPORT_STAGES.indexOf(stage) + 1);
  return later.find((each) => isAsked(each, settings)) ?? null;
};

/** The state with a run under way: the one that is, or a new one. */
export const underWay = (state: ImportState, settings: LinkSettings, now: Instant): ImportState => {
  if (state.checkpoint.stage !== null) return state;
  const checkpoint = { ...state.checkpoint, stage: stageAfter(null, settings), page: null, reading: null };
  return { ...state, checkpoint, startedAt: now, counts: NO_COUNTS };
};

const counted = (counts: ImportCounts, more: Partial<ImportCounts>): ImportCounts => ({
  milestones: counts.milestones + (more.milestones ?? 0),
  issues: counts.issues + (more.issues ?? 0),
  deployments: counts.deployments + (more.deployments ?? 0),
  testRuns: counts.testRuns + (more.testRuns ?? 0),
});

/** The state after a page of the stage under way; after the last page of the last stage the run has gone through at `now`. */
export const progressed = (
  state: ImportState,
  settings: LinkSettings,
  { next, reading, marks, ...changes }: StageProgress,
  rows: Partial<ImportCounts>,
  now: Instant,
): ImportState => {
  const { stage } = state.checkpoint;
  const read = { ...state, ...changes, counts: counted(state.counts, rows), failure: null };
  if (next !== null) return { ...read, checkpoint: { stage, page: next, reading, marks } };
  // Whoever makes a release follow a milestone has all issues read again, in the same run.
  const on = stage === 'issues' ? { ...read, pendingReleaseIds: [] } : read;
  const complete = stage === null || reading === null ? marks : { ...marks, [stage]: reading };
  const following = stageAfter(stage, settings);
  const checkpoint = { stage: following, page: null, reading: null, marks: complete };
  if (following !== null) return { ...on, checkpoint };
  return { ...on, checkpoint, startedAt: null, completedAt: now, dueAt: now + RUN_EVERY };
};

/** The state after an attempt that did not go through; the run goes on from its last page, or from its stage when that page fails for long. */
export const failed = (
  state: ImportState,
  { code, message }: Pick<ImportFailure, 'code' | 'message'>,
  now: Instant,
  dueAt: Instant,
): ImportState => {
  const attempts = (state.failure?.attempts ?? 0) + 1;
  const again = attempts % ATTEMPTS_PER_PAGE === 0 ? { page: null, reading: null } : {};
  const checkpoint = { ...state.checkpoint, ...again };
  return { ...state, checkpoint, dueAt, failure: { code, message, at: now, attempts } };
};
