import type { ErrorCode } from '../errors.js';
import type { Instant } from '../instant.js';

/** The steps of an import, in this order. `gone`: issues that may not be there any more. */
export const IMPORT_STAGES = ['milestones', 'issues', 'gone', 'deployments', 'open_deployments', 'test_runs'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** How far a part has been read completely. */
export interface ReadMark {
  /** The newest change seen, on the host's clock. */
  readonly since: Instant | null;
  readonly validator: string | null;
}

/** Where an import stands; after a restart it goes on from here. */
export interface ImportCheckpoint {
  /** null: no run is under way. */
  readonly stage: ImportStage | null;
  /** Continues the stage; null: at its beginning. */
  readonly page: string | null;
  /** Of the stage under way; becomes its mark when the stage is complete. */
  readonly reading: ReadMark | null;
  readonly marks: { readonly [stage in ImportStage]?: ReadMark };
}

/** How many rows were read. */
export interface ImportCounts {
  readonly milestones: number;
  readonly issues: number;
  readonly deployments: number;
  readonly testRuns: number;
}

/** Why the last attempt did not go through. */
export interface ImportFailure {
  /** `internal`: a fault of the service itself. */
  readonly code: ErrorCode | 'internal';
  readonly message: string;
  readonly at: Instant;
  /** How many attempts in a row. */
  readonly attempts: number;
}

/** The import of one linked repository. */
export interface ImportState {
  readonly linkId: string;
  /** When the next step is due. */
  readonly dueAt: Instant;
  readonly checkpoint: ImportCheckpoint;
  /** When the run under way began; null between runs. */
  readonly startedAt: Instant | null;
  /** When a run last went through: what is imported is as of then. null: the first one has not yet. */
  readonly completedAt: Instant | null;
  /** When all imported issues were last looked for. */
  readonly goneCheckedAt: Instant | null;
  /** Issues that a notice says may be gone, looked for by the next run. */
  readonly suspectIssueIds: readonly string[];
  /** Open releases that follow a milestone since too short a time for all issues to have been read: theirs are known in part. */
  readonly pendingReleaseIds: readonly string[];
  /** Of the run under way, or of the last one. */
  readonly counts: ImportCounts;
  readonly failure: ImportFailure | null;
}
