import { PLACE } from './axis.js';
import { shareInHundredths } from './hundredths.js';
import { leastWhere } from './least.js';
import type { Policy } from './policy.js';
import { MAX_COUNT, type Share } from './share.js';
import { wilsonInterval } from './wilson-interval.js';

/** What the minimum of stability is demanded of. */
export type StabilityBound = NonNullable<Policy['stabilityBound']>;

/** What it is under a policy; one of before there was a choice demands it of the rate. */
export const stabilityBoundOf = ({ stabilityBound }: Policy): StabilityBound => stabilityBound ?? 'rate';

/**
 * What the minimum of stability is compared with, in whole hundredths, rounded down, for `part` succeeded deployments of
 * `whole` finished ones (at least 1). Under `rate` the exact score; under `upper_bound` 100 * (1 - upper bound of the 95 %
 * interval of the change failure rate), which is by definition the double that `wilsonInterval` yields and so the same
 * on every machine. At any demand of two decimals one deployment more moves it by 10^-14 at least, which is more than
 * doubles miss: a further success never makes it fall below a demand again.
 */
export const stabilityHundredths = (bound: StabilityBound, { part, whole }: Pick<Share, 'part' | 'whole'>): number =>
  bound === 'rate'
    ? shareInHundredths(part, whole)
    : Math.floor(10_000 * (1 - wilsonInterval(whole - part, whole).high));

/** What the minimum of the measured axis at a place is compared with, in whole hundredths, rounded down. */
export const comparedHundredths = (place: number, bound: StabilityBound, share: Share): number =>
  place === PLACE.stability ? stabilityHundredths(bound, share) : shareInHundredths(share.part, share.whole);

/**
 * The least n, at least `low`, for which `succeeded + n` successes beside `failed` failures bring the upper bound to
 * `minimum` hundredths; null when no countable number does. By halving, since the bound only improves with each.
 */
export const leastForUpperBound = (succeeded: number, failed: number, minimum: number, low: number): number | null => {
  const suffices = (count: number): boolean => {
    const part = succeeded + count;
    return stabilityHundredths('upper_bound', { part, whole: part + failed }) >= minimum;
  };
  const most = MAX_COUNT - succeeded;
  return low > most || !suffices(most) ? null : leastWhere(low, most, suffices);
};
