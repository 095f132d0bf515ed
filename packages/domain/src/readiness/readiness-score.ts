import type { PerAxis } from './axis.js';
import type { Shares } from './share.js';
import { weightedHundredths } from './weighted-mean.js';

/** The weight of the axes that are measured, a whole number. */
export const measuredWeight = (weights: PerAxis<number>, shares: Shares): number =>
  (shares.scope.whole > 0 ? weights.scope : 0) +
  (shares.quality.whole > 0 ? weights.quality : 0) +
  (shares.ops.whole > 0 ? weights.ops : 0) +
  (shares.verification.whole > 0 ? weights.verification : 0) +
  (shares.stability.whole > 0 ? weights.stability : 0);

/**
 * The readiness score in whole hundredths (0-10,000), rounded down: the exact weighted mean over the measured axes,
 * which are `measured` in weight. null when that is 0.
 */
export const readinessScore = (weights: PerAxis<number>, shares: Shares, measured: number): number | null =>
  measured === 0 ? null : weightedHundredths(weights, shares, measured);

/** Weight of the measured axes / weight of all axes, 0-1, unrounded; 0 when all weights are 0. */
export const coverage = (weights: PerAxis<number>, measured: number): number =>
  measured === 0
    ? 0
    : measured / (weights.scope + weights.quality + weights.ops + weights.verification + weights.stability);
