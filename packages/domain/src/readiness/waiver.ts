import type { Instant } from '../instant.js';
import type { Axis } from './axis.js';

/** The conditions a person can accept although they fail. */
export const WAIVABLE_CODES = [
  'score_below_threshold',
  'axis_below_minimum',
  'axis_unmeasured',
  'open_critical_bugs',
] as const;
export type WaivableCode = (typeof WAIVABLE_CODES)[number];

export const REASON_CODES = ['no_weights', ...WAIVABLE_CODES] as const;
/** The conditions a ship gate can fail. Without weights nothing is judged, which no waiver makes good. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** A person's expiring acceptance of one hold reason on one release. */
export interface Waiver {
  readonly id: string;
  readonly releaseId: string;
  readonly code: WaivableCode;
  /** The reason's axis; null for reasons without one. */
  readonly axis: Axis | null;
  /** Why it is accepted. */
  readonly text: string;
  /** The reason's `actual` when it was signed; null where the axis was unmeasured. It covers nothing worse. */
  readonly actual: number | null;
  /** Name of the person who signed it. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  /** From this moment on it no longer applies. */
  readonly expiresAt: Instant;
  readonly withdrawnAt: Instant | null;
  readonly withdrawnBy: string | null;
}
