import type { InAxisOrder, UnmeasuredCause } from './axis.js';

/** The exact state of an axis: `part / whole` as whole numbers, never a rounded rate. */
export interface Share {
  /** 0 to `whole`. */
  readonly part: number;
  /** 0: the axis is unmeasured. */
  readonly whole: number;
  /** Why it is unmeasured; null while it is measured. */
  readonly cause: UnmeasuredCause | null;
}

/** The shares of all axes. */
export type Shares = InAxisOrder<Share>;

/** The greatest count the facts may hold: 2^31 - 1. */
export const MAX_COUNT = 2_147_483_647;

/**
 * Fits summed counts of test runs into facts: what exceeds 2^31 - 1 is taken away from passed and total alike, so that
 * the share is never better than that of the sum.
 */
export const summedTests = (passed: number, total: number): { readonly passed: number; readonly total: number } => {
  const surplus = Math.max(0, total - MAX_COUNT);
  return { passed: Math.max(0, passed - surplus), total: total - surplus };
};

/** A measured share. */
export const share = (part: number, whole: number): Share => ({ part, whole, cause: null });

/** 0 of 0: the share at a place where there is none. */
export const ZERO_SHARE: Share = Object.freeze(share(0, 0));

/** The share of an axis that yields no score. */
export const unmeasured = (cause: UnmeasuredCause): Share => ({ part: 0, whole: 0, cause });

/**
 * Exact numbers on the 0-100 scale are held as whole hundredths (80 is 8000). A demand has at most two decimals, so
 * "at least the demand" and "the value rounded down to hundredths is at least the demand" are the same statement:
 * every comparison of the engine is one of whole numbers.
 */

/**
 * `100 * part / whole` in whole hundredths, rounded down; exact for counts up to 2^32.
 * The product stays below 2^53. A quotient that is no whole number lies at least 1 / whole >= 2^-32 below the next one,
 * while doubles up to 10,000 are at most 2^-39 apart, so the division never rounds up to it.
 */
export const shareInHundredths = (part: number, whole: number): number => Math.floor((10_000 * part) / whole);

/**
 * `top / bottom` rounded down, exact for whole numbers below 2^53. A quotient of 2^k or more that is no whole number lies at
 * least 1 / bottom below the next one, which is more than 2^(k - 53), for bottom * 2^k <= top < 2^53. The division misses by no more
 * than that, so it never rounds up to a whole number.
 */
export const flooredRatio = (top: number, bottom: number): number => Math.floor(top / bottom);

/** A demand of the policy (0-100, at most two decimals) in whole hundredths. */
export const inHundredths = (value: number): number => Math.round(value * 100);

/** Whole hundredths as a number of the 0-100 scale: the double nearest to it. */
export const fromHundredths = (hundredths: number): number => hundredths / 100;

/**
 * The least number of further parts that brings `part / whole` to `demand` hundredths with the whole unchanged.
 * Exact for counts up to 2^32: a quotient by 10,000 that is no whole number is at least 10^-4 away from one.
 */
export const missingParts = (part: number, whole: number, demand: number): number =>
  Math.max(0, Math.ceil((demand * whole) / 10_000) - part);

/** Nearer than this to a whole hundredth, whole numbers decide: doubles have an error below 1e-10 hundredths. */
const MARGIN = 1e-6;

const weightAt = (weights: readonly number[], place: number): number => weights[place] ?? 0;

const withBigIntegers = (weights: readonly number[], shares: readonly Share[], over: number): number => {
  let top = 0n;
  let bottom = 1n;
  for (const [place, { part, whole }] of shares.entries()) {
    if (whole === 0) continue;
    top = top * BigInt(whole) + BigInt(weightAt(weights, place)) * BigInt(part) * bottom;
    bottom *= BigInt(whole);
  }
  return Number((10_000n * top) / (BigInt(over) * bottom));
};

/** The factor of a share in the common denominator; 1 for a share of 0 or 1, and for an unmeasured one. */
const denominator = ({ part, whole }: Share): number => (part === 0 || part === whole ? 1 : whole);

const numerator = (weight: number, { part, whole }: Share, common: number): number => {
  if (part === 0) return 0;
  return part === whole ? weight * common : weight * part * (common / whole);
};

const withSafeIntegers = (weights: readonly number[], shares: readonly Share[], over: number): number => {
  let common = 1;
  for (const share of shares) common *= denominator(share);
  const bottom = over * common;
  if (10_000 * bottom > Number.MAX_SAFE_INTEGER) return withBigIntegers(weights, shares, over);
  let top = 0;
  for (const [place, share] of shares.entries()) top += numerator(weightAt(weights, place), share, common);
  return flooredRatio(10_000 * top, bottom);
};

/** The sum of weight * share over the measured axes, as a double: an estimate, which must not decide near a limit. */
export const weightedSum = (weights: readonly number[], shares: readonly Share[]): number => {
  let sum = 0;
  for (let place = 0; place < shares.length; place += 1) {
    const share = shares[place];
    if (share !== undefined && share.whole > 0) sum += (weightAt(weights, place) * share.part) / share.whole;
  }
  return sum;
};

/**
 * `100 * (sum of weight * share) / over` in whole hundredths, rounded down, exact for counts up to 2^32: of the exact
 * shares, never of rounded ones. Computed in doubles where their error cannot matter, else in whole numbers.
 * `weights` and `shares` are of the same axes in the same order. `over` is a whole number, at least the weight of the
 * measured axes and at least 1.
 */
export const weightedHundredths = (weights: readonly number[], shares: readonly Share[], over: number): number => {
  const value = (10_000 * weightedSum(weights, shares)) / over;
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > MARGIN && rest < 1 - MARGIN ? floor : withSafeIntegers(weights, shares, over);
};

/**
 * The least whole number from `low` to `high` for which `holds` is true, by halving; `holds` never turns false again
 * and is true for `high`.
 */
export const smallestWhere = (low: number, high: number, holds: (value: number) => boolean): number => {
  let below = low - 1;
  let above = high;
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
};

/** The weight of the axes that are measured, a whole number. */
export const measuredWeight = (weights: InAxisOrder<number>, shares: Shares): number => {
  let sum = 0;
  for (let place = 0; place < shares.length; place += 1)
    if ((shares[place]?.whole ?? 0) > 0) sum += weights[place] ?? 0;
  return sum;
};

/**
 * The readiness score in whole hundredths (0-10,000), rounded down: the exact weighted mean over the measured axes,
 * which are `measured` in weight. null when that is 0.
 */
export const readinessScore = (weights: InAxisOrder<number>, shares: Shares, measured: number): number | null =>
  measured === 0 ? null : weightedHundredths(weights, shares, measured);

/** Weight of the measured axes / weight of all axes, 0-1, unrounded; 0 when all weights are 0. */
export const coverage = (weights: InAxisOrder<number>, measured: number): number => {
  if (measured === 0) return 0;
  let all = 0;
  for (const weight of weights) all += weight;
  return measured / all;
};
