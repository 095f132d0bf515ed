import { AXES, type PerAxis } from './axis.js';
import { flooredRatio } from './hundredths.js';
import type { Share, Shares } from './share.js';

/** Doubles carry the mean with an error below 1e-10 hundredths; nearer to a step than this, whole numbers decide. */
const MARGIN = 1e-6;

const term = (weight: number, share: Share): number => (share.whole === 0 ? 0 : (weight * share.part) / share.whole);

/** What a share adds to the common denominator; none, all and unmeasured need no denominator. */
const denominator = (share: Share): number => (share.part === 0 || share.part === share.whole ? 1 : share.whole);

const numerator = (weight: number, share: Share, common: number): number => {
  if (share.part === 0) return 0;
  return share.part === share.whole ? weight * common : weight * share.part * (common / share.whole);
};

const withBigIntegers = (weights: PerAxis<number>, shares: Shares, over: number): number => {
  let top = 0n;
  let bottom = 1n;
  for (const axis of AXES) {
    const { part, whole } = shares[axis];
    if (whole === 0) continue;
    top = top * BigInt(whole) + BigInt(weights[axis]) * BigInt(part) * bottom;
    bottom *= BigInt(whole);
  }
  return Number((10_000n * top) / (BigInt(over) * bottom));
};

const withSafeIntegers = (weights: PerAxis<number>, shares: Shares, over: number): number => {
  const common =
    denominator(shares.scope) *
    denominator(shares.quality) *
    denominator(shares.ops) *
    denominator(shares.verification) *
    denominator(shares.stability);
  const bottom = over * common;
  if (10_000 * bottom > Number.MAX_SAFE_INTEGER) return withBigIntegers(weights, shares, over);
  const top =
    10_000 *
    (numerator(weights.scope, shares.scope, common) +
      numerator(weights.quality, shares.quality, common) +
      numerator(weights.ops, shares.ops, common) +
      numerator(weights.verification, shares.verification, common) +
      numerator(weights.stability, shares.stability, common));
  return flooredRatio(top, bottom);
};

/** The sum of weight * share over the measured axes, as a double: near enough to guess with, never to decide by. */
export const weightedSum = (weights: PerAxis<number>, shares: Shares): number =>
  term(weights.scope, shares.scope) +
  term(weights.quality, shares.quality) +
  term(weights.ops, shares.ops) +
  term(weights.verification, shares.verification) +
  term(weights.stability, shares.stability);

/**
 * `100 * (sum of weight * share) / over` in whole hundredths, rounded down, exact for counts up to 2^32: of the exact
 * shares, never of rounded ones. Doubles decide when they are sure, whole numbers when not.
 * `over` is a whole number, at least the weight of the measured axes and at least 1.
 */
export const weightedHundredths = (weights: PerAxis<number>, shares: Shares, over: number): number => {
  const value = (10_000 * weightedSum(weights, shares)) / over;
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > MARGIN && rest < 1 - MARGIN ? floor : withSafeIntegers(weights, shares, over);
};
