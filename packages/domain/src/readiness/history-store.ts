import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { Axis } from './axis.js';
import type { GateDecision } from './readiness-report.js';

/** What moved a release's report. */
export interface Cause {
  readonly kind:
    | 'deployment'
    | 'test_run'
    | 'issue'
    | 'checklist_item'
    | 'waiver'
    | 'policy'
    | 'release'
    | 'project'
    | 'time_limit';
  /** The record that moved it. */
  readonly id: string;
  readonly at: Instant;
}

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

/** A release whose report may have moved since its last point. */
export interface DirtyRelease {
  readonly releaseId: string;
  readonly revision: number;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
}

export interface HistoryStore {
  /**
   * Up to `limit` releases that changed or whose time limit is at or before `now`; hidden from other claimers for `leaseMs`.
   * One that is due by time alone comes without causes.
   */
  claim(now: Instant, limit: number, leaseMs: number): Promise<readonly DirtyRelease[]>;
  /**
   * Stores the point (null: nothing moved), takes the claimed causes off and sets when the release is next due by time alone.
   * A change that came after the claim keeps the release dirty, and it can be claimed again at once.
   * At most one point per release and second of the clock: a later one replaces it.
   */
  settle(dirty: DirtyRelease, point: HistoryPoint | null, nextTimeLimit: Instant | null): Promise<void>;
  /** Oldest first. */
  page(releaseId: string, page: PageRequest): Promise<Page<HistoryPoint>>;
  /** The last `count` points of each release, oldest first, in the order asked. One query. */
  last(releaseIds: readonly string[], count: number): Promise<readonly (readonly HistoryPoint[])[]>;
}
