import type { Instant } from '../time.js';
import { measureOps, readOps } from './axes/ops.js';
import { measureQuality, readQuality } from './axes/quality.js';
import { measureScope, readScope } from './axes/scope.js';
import { measureStability, readStability } from './axes/stability.js';
import { measureVerification, readVerification } from './axes/verification.js';
import { AXIS_PLACE, type InAxisOrder } from './axis.js';
import type { ReleaseFacts } from './facts.js';
import type { Shares } from './numbers.js';
import type { Policy } from './policy.js';
import type { AxisReading } from './report.js';

/** Measures the five axes at `asOf`. */
export const measureFiveAxes = (facts: ReleaseFacts, policy: Policy, asOf: Instant): [...Shares] => [
  measureScope(facts),
  measureQuality(facts),
  measureOps(facts.ops),
  measureVerification(facts, policy, asOf),
  measureStability(facts.stability, policy),
];

/** The readings of the five axes, in axis order. */
export const readFiveAxes = (facts: ReleaseFacts, policy: Policy, shares: Shares): InAxisOrder<AxisReading> => {
  const issuesAsOf = facts.issuesAsOf ?? null;
  return [
    readScope(facts.scope, policy.weights.scope, shares[AXIS_PLACE.scope], issuesAsOf),
    readQuality(facts, policy.weights.quality, shares[AXIS_PLACE.quality], issuesAsOf),
    readOps(facts.ops, policy.weights.ops, shares[AXIS_PLACE.ops]),
    readVerification(facts, policy, shares[AXIS_PLACE.verification]),
    readStability(facts.stability, policy, shares[AXIS_PLACE.stability]),
  ];
};
