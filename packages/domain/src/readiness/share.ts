import type { InAxisOrder, UnmeasuredCause } from './axis.js';

/** Where an axis stands, exactly: `part / whole` as whole numbers, never a rounded rate. */
export interface Share {
  /** 0 to `whole`. */
  readonly part: number;
  /** 0: the axis is unmeasured. */
  readonly whole: number;
  /** Why it is unmeasured; null while it is measured. */
  readonly cause: UnmeasuredCause | null;
}

/** Where all axes stand. */
export type Shares = InAxisOrder<Share>;

/** The greatest count the facts may hold: 2^31 - 1. */
export const MAX_COUNT = 2_147_483_647;

/**
 * The counts of test runs that were summed, as facts may hold them: what is more than 2^31 - 1 is taken away from passed
 * and total alike, so that the share is never better than that of the sum.
 */
export const summedTests = (passed: number, total: number): { readonly passed: number; readonly total: number } => {
  const surplus = Math.max(0, total - MAX_COUNT);
  return { passed: Math.max(0, passed - surplus), total: total - surplus };
};

/** A measured share. */
export const share = (part: number, whole: number): Share => ({ part, whole, cause: null });

/** No part of nothing. */
export const NOTHING: Share = Object.freeze(share(0, 0));

/** The share of an axis that yields no score. */
export const unmeasured = (cause: UnmeasuredCause): Share => ({ part: 0, whole: 0, cause });
