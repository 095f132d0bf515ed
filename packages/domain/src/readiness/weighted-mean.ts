import { flooredRatio } from './hundredths.js';
import type { Share } from './share.js';

/** Doubles carry the mean with an error below 1e-10 hundredths; nearer to a step than this, whole numbers decide. */
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

/** What a share adds to the common denominator; none, all and unmeasured need no denominator. */
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

/** The sum of weight * share over the measured axes, as a double: near enough to guess with, never to decide by. */
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
 * shares, never of rounded ones. Doubles decide when they are sure, whole numbers when not.
 * `weights` and `shares` are of the same axes in the same order. `over` is a whole number, at least the weight of the measured axes and at least 1.
 */
export const weightedHundredths = (weights: readonly number[], shares: readonly Share[], over: number): number => {
  const value = (10_000 * weightedSum(weights, shares)) / over;
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > MARGIN && rest < 1 - MARGIN ? floor : withSafeIntegers(weights, shares, over);
};
