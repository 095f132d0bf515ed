import { PLACE } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import { flooredRatio, fromHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import { type Share, type Shares, share } from './share.js';
import { weightedHundredths } from './weighted-mean.js';
import { openBugs, openIssues } from './work.js';

const NOTHING_MORE: Share = Object.freeze(share(0, 1));

const added = (before: Share, parts: number): Share =>
  parts === 0 || before.whole === 0 ? NOTHING_MORE : share(parts, before.whole);

/** Gain of so many parts more of one axis alone (ticked items, passing tests), exactly: its mean over the weight of the measured axes. */
export const gainOfOne = (weight: number, before: Share, parts: number, measured: number): number | null => {
  if (measured === 0) return null;
  const top = 10_000 * weight * parts;
  if (top <= Number.MAX_SAFE_INTEGER) return fromHundredths(flooredRatio(top, before.whole * measured));
  return fromHundredths(Number((10_000n * BigInt(weight) * BigInt(parts)) / BigInt(before.whole * measured)));
};

/** The gain of issues and bugs together, exactly: the mean of the added parts, because wholes and weights stay. */
const gainOfBoth = (
  { weights }: Policy,
  shares: Shares,
  measured: number,
  issues: number,
  bugs: number,
): number | null => {
  if (measured === 0) return null;
  const scope = shares[PLACE.scope];
  const quality = shares[PLACE.quality];
  if (bugs === 0) return gainOfOne(weights.scope, scope, issues, measured);
  const gained = [added(scope, issues), added(quality, bugs)];
  return fromHundredths(weightedHundredths([weights.scope, weights.quality], gained, measured));
};

/** Gain of closing so many issues; where there are too few others, some of them are bugs. null while scope is unmeasured. */
export const issuesGain = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  measured: number,
  count: number,
): number | null => {
  if (shares[PLACE.scope].whole === 0) return null;
  const bugs = Math.max(0, count - Math.max(0, openIssues(facts) - openBugs(facts)));
  return gainOfBoth(policy, shares, measured, count, bugs);
};

/** Gain of resolving so many bugs, which closes as many issues. null while quality is unmeasured. */
export const bugsGain = (policy: Policy, shares: Shares, measured: number, count: number): number | null =>
  shares[PLACE.quality].whole === 0 ? null : gainOfBoth(policy, shares, measured, count, count);

/**
 * Gain of so many further successful deployments; null while stability is unmeasured. With s succeeded, f failed and n
 * more, (s + n) / (s + n + f) - s / (s + f) = n f / ((s + n + f) (s + f)).
 */
export const deploymentsGain = (
  facts: ReleaseFacts,
  { weights }: Policy,
  shares: Shares,
  measured: number,
  count: number,
): number | null => {
  if (measured === 0 || shares[PLACE.stability].whole === 0) return null;
  const { succeeded, failed } = facts.stability;
  const finished = succeeded + failed;
  const top = 10_000 * weights.stability * count * failed;
  const bottom = measured * (finished + count) * finished;
  if (top <= Number.MAX_SAFE_INTEGER && bottom <= Number.MAX_SAFE_INTEGER)
    return fromHundredths(flooredRatio(top, bottom));
  const exactTop = 10_000n * BigInt(weights.stability) * BigInt(count) * BigInt(failed);
  return fromHundredths(Number(exactTop / (BigInt(measured) * BigInt(finished + count) * BigInt(finished))));
};
