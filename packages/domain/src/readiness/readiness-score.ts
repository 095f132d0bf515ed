import type { InAxisOrder } from './axis.js';
import type { Shares } from './share.js';
import { weightedHundredths } from './weighted-mean.js';

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
