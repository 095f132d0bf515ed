import type { Axis } from '../readiness/axis.js';

/** Why a record does not count (for a release, or at all). */
export type NotCountedReason =
  | 'no_release_window'
  | 'environment_not_counted'
  | 'still_in_progress'
  | 'superseded_by_newer_run';

/** Whether a record counts for one release; the reason only when it does not. */
export interface ReleaseAttribution {
  readonly id: string;
  readonly name: string;
  readonly counts: boolean;
  readonly reason: NotCountedReason | null;
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
): ReleaseAttribution => ({ id: release.id, name: release.name, counts: reason === null, reason });
