import type { ReleaseFacts } from './facts.js';
import { fromHundredths } from './hundredths.js';
import type { Policy } from './policy.js';
import { type Share, type Shares, share } from './share.js';
import { weightedHundredths } from './weighted-mean.js';
import { closedIssues, noWork, resolvedBugs, type Work } from './work.js';

const added = (before: Share, parts: number): Share => (before.whole === 0 ? before : share(parts, before.whole));

/**
 * What issues, bugs, items or tests of `work` add to the whole score, 0-100, rounded down; `measured` is the weight of
 * the measured axes, at least 1. Exact: the mean of the added parts alone, since neither wholes nor weights change.
 */
const gainOfParts = (facts: ReleaseFacts, policy: Policy, shares: Shares, work: Work, measured: number): number => {
  const closed = closedIssues(facts, work);
  const gained = {
    scope: added(shares.scope, closed),
    quality: added(shares.quality, resolvedBugs(facts, work, closed)),
    ops: added(shares.ops, work.tickItems),
    verification: added(shares.verification, work.fixTests),
    stability: added(shares.stability, 0),
  };
  return fromHundredths(weightedHundredths(policy.weights, gained, measured));
};

/**
 * What further successful deployments add to the whole score, 0-100, rounded down. With s succeeded, f failed and n
 * more, (s + n) / (s + n + f) - s / (s + f) = n f / ((s + n + f) (s + f)).
 */
const gainOfDeployments = (facts: ReleaseFacts, policy: Policy, deployments: number, measured: number): number => {
  const { succeeded, failed } = facts.stability;
  const finished = succeeded + failed;
  const top = 10_000n * BigInt(policy.weights.stability) * BigInt(deployments) * BigInt(failed);
  return fromHundredths(Number(top / (BigInt(measured) * BigInt(finished + deployments) * BigInt(finished))));
};

/** What one target of work alone adds to the whole score; null while there is no score or its axis is unmeasured. */
export const stepGain = (
  facts: ReleaseFacts,
  policy: Policy,
  shares: Shares,
  target: keyof Work,
  count: number,
  measured: number,
): number | null => {
  switch (target) {
    case 'addIssues':
    case 'addItems':
    case 'recordRuns':
      return null;
    case 'deployments':
      return shares.stability.whole === 0 || measured === 0 ? null : gainOfDeployments(facts, policy, count, measured);
    default:
      return measured === 0 ? null : gainOfParts(facts, policy, shares, { ...noWork(), [target]: count }, measured);
  }
};
