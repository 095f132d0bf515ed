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
 * `top / bottom` rounded down, exact for whole numbers below 2^53: the division may miss by one, which the rest of it,
 * a whole number below 2^53 itself, tells.
 */
export const flooredRatio = (top: number, bottom: number): number => {
  const guess = Math.floor(top / bottom);
  const rest = top - guess * bottom;
  if (rest < 0) return guess - 1;
  return rest >= bottom ? guess + 1 : guess;
};

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
