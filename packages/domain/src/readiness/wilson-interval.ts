import type { RateInterval } from './readiness-report.js';

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * The 95 % Wilson score interval of `hits / trials`, clamped to 0-1, so that 0 of 1 does not look like 0 of 40.
 * `trials` is at least 1, `hits` 0 to `trials`.
 * Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927).
 */
export const wilsonInterval = (hits: number, trials: number): RateInterval => {
  const rate = hits / trials;
  const square = (Z * Z) / trials;
  const centre = rate + square / 2;
  const half = Z * Math.sqrt((rate * (1 - rate) + square / 4) / trials);
  // At the ends the formula is exactly 0 or 1, which rounding would miss by a hair.
  const low = hits === 0 ? 0 : Math.max(0, (centre - half) / (1 + square));
  const high = hits === trials ? 1 : Math.min(1, (centre + half) / (1 + square));
  return { low, high, level: 0.95 };
};
