import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { Axis } from '../readiness/axis.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { PolicyVersion } from '../readiness/policy.js';
import type { GateDecision } from '../readiness/readiness-report.js';
import type { Waiver } from '../readiness/waiver.js';
import type { Cause, Move } from './move.js';
import type { ReleaseState } from './release.js';

/** One point of a release's trend. */
export interface HistoryPoint {
  readonly releaseId: string;
  readonly at: Instant;
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  /** Score per axis in axis order; null: unmeasured. */
  readonly axes: readonly { readonly axis: Axis; readonly score: number | null }[];
  /** The first 20 causes. */
  readonly causes: readonly Cause[];
  readonly causeCount: number;
}

/** A point as it is drawn. */
export type TrendPoint = Pick<HistoryPoint, 'at' | 'score'>;

/** What tells a release's last point from any before and after it. */
export type NewestPoint = Pick<RecordedPoint, 'at' | 'score' | 'revision'>;

/** All that a report was made of at a point: from it the same report can be computed for ever. */
export interface Snapshot {
  readonly project: { readonly name: string };
  readonly release: { readonly name: string; readonly state: ReleaseState };
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  /** Those not withdrawn then, oldest first. */
  readonly waivers: readonly Waiver[];
}

/** A point as it is kept. */
export interface RecordedPoint extends HistoryPoint {
  /** The release's revision it was read at; 0: it was not kept yet. */
  readonly revision: number;
  /** null: the point is from before snapshots were kept. */
  readonly snapshot: Snapshot | null;
}

/** A release whose report may have moved since its last point, and whose it is now. */
export interface DirtyRelease {
  readonly releaseId: string;
  readonly revision: number;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  /** Until when it is hidden from others; each claim of a release has a later one, so that it tells them apart. */
  readonly claimedUntil: Instant;
}

/** How far a report knows its release: all changes up to a revision, and the time limits that passed up to and at a moment. */
export interface Knowledge {
  readonly revision: number;
  readonly at: Instant;
}

/** One page of what moved a release's report. */
export interface Moves extends Page<Move> {
  /** How many there are on all pages. */
  readonly count: number;
}

export interface HistoryStore {
  /**
   * Up to `limit` releases that changed or whose time limit is at or before `now`; hidden from other claimers for `leaseMs`.
   * One that is due by time alone comes without causes. With `projectId` only those of that project.
   */
  claim(now: Instant, limit: number, leaseMs: number, projectId?: string): Promise<readonly DirtyRelease[]>;
  /**
   * Stores the points (none: nothing moved), takes the claimed causes off and sets when the release is next due by time alone.
   * A change that came after the claim keeps the release dirty, and it can be claimed again at once.
   * At most one point per release and second of the clock: a later one replaces it. Of a snapshot's policy only the version is kept.
   * `unmoved` is a revision, with the moment it came at, that reads the same as the point before it, which has none of its own.
   * Answers false, and stores nothing, once somebody else has claimed or settled the release since; inside a transaction
   * nobody can claim it any more before that ends.
   */
  settle(
    dirty: DirtyRelease,
    points: readonly RecordedPoint[],
    nextTimeLimit: Instant | null,
    unmoved?: Knowledge,
  ): Promise<boolean>;
  /** Oldest first. */
  page(releaseId: string, page: PageRequest): Promise<Page<HistoryPoint>>;
  /** The last `count` points of each release, oldest first, in the order asked. One query. */
  last(releaseIds: readonly string[], count: number): Promise<readonly (readonly HistoryPoint[])[]>;
  /** What tells the last point of each release from others, in the order asked; undefined where there is none. One query. */
  newest(releaseIds: readonly string[]): Promise<readonly (NewestPoint | undefined)[]>;
  /** The last `count` points of each release as they are drawn, oldest first, in the order asked. One query that answers one row for a release. */
  trends(releaseIds: readonly string[], count: number): Promise<readonly (readonly TrendPoint[])[]>;
  /** The last point of each release with its snapshot, in the order asked; undefined where there is none. One query. */
  latest(releaseIds: readonly string[]): Promise<readonly (RecordedPoint | undefined)[]>;
  /** The last point at or before the moment, with the last revision up to then that read the same. */
  pointAt(releaseId: string, at: Instant): Promise<RecordedPoint | undefined>;
  /**
   * Every move that `until` knows and `from` does not, oldest change first, and how many there are: all that moved an axis
   * or concerned the gate, settled or not, and the time limits that points were settled for. One query.
   */
  moves(releaseId: string, from: Knowledge, until: Knowledge, page: PageRequest): Promise<Moves>;
}
