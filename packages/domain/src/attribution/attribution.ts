import type { Axis } from '../readiness/axis.js';

/** Why a record does not count (for a release, or at all). */
export type NotCountedReason =
  | 'no_release_window'
  | 'environment_not_counted'
  | 'still_in_progress'
  | 'rollback_pending_outcome'
  | 'release_frozen'
  | 'set_aside'
  | 'superseded_by_newer_run';

/** What a record does to a release's readiness score, 0-100 rounded down to two decimals; null: no score. */
export interface Contribution {
  readonly scoreWith: number | null;
  readonly scoreWithout: number | null;
}

/** Whether a record counts for one release; the reason only when it does not. */
export interface ReleaseAttribution {
  readonly id: string;
  readonly name: string;
  readonly counts: boolean;
  readonly reason: NotCountedReason | null;
  /** Only where one record is read and counts; null otherwise. */
  readonly contribution: Contribution | null;
}

/** What a record counts for, computed whenever it is read. */
export interface Attribution {
  readonly project: { readonly id: string; readonly name: string };
  readonly releases: readonly ReleaseAttribution[];
  /** The axis the record feeds. */
  readonly axis: Extract<Axis, 'verification' | 'stability'>;
  /** Only when `releases` is empty; null otherwise. */
  readonly reason: NotCountedReason | null;
}

/** One release's line of a receipt. */
export const attributedTo = (
  release: { readonly id: string; readonly name: string },
  reason: NotCountedReason | null,
): ReleaseAttribution => ({ id: release.id, name: release.name, counts: reason === null, reason, contribution: null });
