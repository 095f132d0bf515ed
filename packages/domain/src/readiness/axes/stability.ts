import { AXIS_PLACE } from '../axis.js';
import type { StabilityFacts } from '../facts.js';
import { countFaults, isCount, memberCount, objectFaults } from '../faults.js';
import { MAX_COUNT, type Share, share, shareInHundredths, smallestWhere, unmeasured } from '../numbers.js';
import type { Policy } from '../policy.js';
import type { AxisReading, ChangeFailureRate, RateInterval } from '../report.js';
import { counted } from '../words.js';
import { readingOf } from './reading.js';

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
  // For 0 hits, or only hits, the exact bound is 0 or 1, which rounding would miss slightly.
  const low = hits === 0 ? 0 : Math.max(0, (centre - half) / (1 + square));
  const high = hits === trials ? 1 : Math.min(1, (centre + half) / (1 + square));
  return { low, high, level: 0.95 };
};

/**
 * Succeeded deployments of all finished ones (1 - change failure rate); unmeasured if the policy needs more of them.
 */
export const measureStability = ({ succeeded, failed }: StabilityFacts, policy: Policy): Share => {
  const finished = succeeded + failed;
  if (finished === 0) return unmeasured('no_finished_deployment');
  return finished < policy.minFinishedDeployments ? unmeasured('too_few_deployments') : share(succeeded, finished);
};

const changeFailureRate = ({ succeeded, failed }: StabilityFacts): ChangeFailureRate | null => {
  const finished = succeeded + failed;
  return finished === 0 ? null : { rate: failed / finished, interval: wilsonInterval(failed, finished) };
};

const explain = ({ succeeded, failed, inProgress }: StabilityFacts): string =>
  succeeded + failed === 1
    ? `${succeeded} of 1 finished deployment succeeded, ${inProgress} in progress; this counts failed deployments and does not see incidents after a successful one`
    : `${succeeded} of ${succeeded + failed} finished deployments succeeded, ${inProgress} in progress; this counts failed deployments and does not see incidents after a successful one`;

const explainUnmeasured = ({ succeeded, failed, inProgress }: StabilityFacts, least: number): string => {
  const finished = succeeded + failed;
  return finished === 0
    ? `No deployment has finished in the release window, ${inProgress} in progress: report deployments from the pipeline`
    : `${counted(finished, 'finished deployment')}, ${failed} failed, ${inProgress} in progress; the policy asks for at least ${least} finished: report deployments from the pipeline`;
};

/** The stability axis as the report shows it: always with the change failure rate, its interval and its limits. */
export const readStability = (facts: StabilityFacts, policy: Policy, of: Share): AxisReading => {
  const explanation = of.cause === null ? explain(facts) : explainUnmeasured(facts, policy.minFinishedDeployments);
  return readingOf('stability', facts, policy.weights.stability, of, explanation, changeFailureRate(facts));
};

/** Checks the facts of stability. */
export const stabilityFactsFaults = objectFaults({
  succeeded: countFaults,
  failed: countFaults,
  inProgress: countFaults,
});

/** Checks the facts fast and returns a copy, each member read once; undefined: there may be a fault. */
export const plainStability = (facts: StabilityFacts): StabilityFacts | undefined => {
  const { succeeded, failed, inProgress } = facts;
  return isCount(succeeded) && isCount(failed) && isCount(inProgress) && memberCount(facts) === 3
    ? { succeeded, failed, inProgress }
    : undefined;
};

/** The value that the minimum of stability applies to. */
export type StabilityBound = NonNullable<Policy['stabilityBound']>;

/** The bound of a policy; a policy stored before there was a choice uses the rate. */
export const stabilityBoundOf = ({ stabilityBound }: Policy): StabilityBound => stabilityBound ?? 'rate';

/**
 * The value that is compared with the minimum of stability, in whole hundredths, rounded down, for `part` succeeded
 * deployments of `whole` finished ones (at least 1). Under `rate` the exact score; under `upper_bound` 100 * (1 - upper
 * bound of the 95 % interval of the change failure rate), which is by definition the double that `wilsonInterval`
 * yields and so the same on every machine. Near any demand of two decimals one more deployment moves it by 10^-14 at
 * least, which is more than the error of doubles: a further success never makes it fall below a demand again.
 */
export const stabilityHundredths = (bound: StabilityBound, { part, whole }: Pick<Share, 'part' | 'whole'>): number =>
  bound === 'rate'
    ? shareInHundredths(part, whole)
    : Math.floor(10_000 * (1 - wilsonInterval(whole - part, whole).high));

/** The value that is compared with the minimum of the measured axis at a place, in whole hundredths, rounded down. */
export const comparedHundredths = (place: number, bound: StabilityBound, share: Share): number =>
  place === AXIS_PLACE.stability ? stabilityHundredths(bound, share) : shareInHundredths(share.part, share.whole);

/**
 * The least n, at least `low`, for which `succeeded + n` successes beside `failed` failures bring the upper bound to
 * `minimum` hundredths; null: not even MAX_COUNT successes do. Found by halving: each success improves the bound.
 */
export const leastForUpperBound = (succeeded: number, failed: number, minimum: number, low: number): number | null => {
  const suffices = (count: number): boolean => {
    const part = succeeded + count;
    return stabilityHundredths('upper_bound', { part, whole: part + failed }) >= minimum;
  };
  const most = MAX_COUNT - succeeded;
  return low > most || !suffices(most) ? null : smallestWhere(low, most, suffices);
};
