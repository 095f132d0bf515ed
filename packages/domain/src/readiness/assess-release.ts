import type { Instant } from '../time.js';
import { measureAxes, readAxes } from './all-axes.js';
import { type Definitions, measureOwnAxis, NO_DEFINITIONS, readOwnAxes } from './axes/own.js';
import { AXES } from './axis.js';
import { type Basis, requireFit } from './basis.js';
import type { ReleaseFacts } from './facts.js';
import { applyingWaivers, decide, gateReasons } from './gate.js';
import { nextSteps, suiteSteps } from './next-steps.js';
import { coverage, fromHundredths, measuredWeight, readinessScore, type Shares } from './numbers.js';
import { type Policy, weightsOf } from './policy.js';
import type { NextStep, ReadinessReport } from './report.js';
import { silentSources } from './silent-source.js';
import type { Waiver } from './waiver.js';

/** What a caller may leave out of a report. */
export interface AssessOptions {
  /** Whether the next steps are worked out; without them `gate.nextSteps` is empty. Default true. */
  readonly nextSteps?: boolean;
}

export const NO_WAIVERS: readonly Waiver[] = Object.freeze([]);
const NO_STEPS: readonly NextStep[] = Object.freeze([]);
const EVERYTHING: AssessOptions = Object.freeze({});

/**
 * Judges one release: five readings, the readiness score, the ship gate with its reasons and the least that yields `go`.
 *
 * Pure and synchronous: the same arguments give the same report, on any machine; no argument is changed, and frozen
 * ones are fine. Each member is read once, and what was read is checked and judged: a getter or proxy that answers
 * differently the next time changes nothing. The report is read-only by its type (it is not frozen, which would cost more
 * than computing it).
 *
 * @param facts counts, whole numbers 0 to 2^31 - 1 that fit together (see `factFaults`)
 * @param policy what the project demands, valid by `policyFaults`
 * @param asOf the moment it is judged at, in milliseconds since 1970: decides about freshness, expiry and silence
 * @param waivers those of this release, in any order; withdrawn and expired ones are ignored
 * @throws TypeError that names every fault of the arguments at its place; its `cause` is the list of faults
 */
export const assessRelease = (
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[] = NO_WAIVERS,
  options: AssessOptions = EVERYTHING,
): ReadinessReport => assessWith(NO_DEFINITIONS, facts, policy, asOf, waivers, options);

/** The same with the axes that a program defines. */
export const assessWith = (
  defined: Definitions,
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[],
  options: AssessOptions,
): ReadinessReport => {
  const basis = requireFit(facts, policy, asOf, waivers, defined);
  return judged(basis, asOf, options, measuredAll(basis, asOf, defined), defined);
};

const measuredAll = ({ facts, policy }: Basis, asOf: Instant, defined: Definitions): Shares => {
  const shares = measureAxes(facts, policy, asOf);
  for (const axis of policy.ownAxes ?? []) shares.push(measureOwnAxis(facts, axis, asOf, defined));
  return shares;
};

/** Only a weight of an own axis changes what the numbers mean. */
const formulaOf = (weights: readonly number[]): ReadinessReport['formula'] => {
  for (let place = AXES.length; place < weights.length; place += 1) if ((weights[place] ?? 0) > 0) return '2';
  return '1';
};

/** A report that is being made. */
type Report = { -readonly [Name in keyof ReadinessReport]: ReadinessReport[Name] };

const judged = (
  { facts, policy, waivers }: Basis,
  asOf: Instant,
  options: AssessOptions,
  shares: Shares,
  defined: Definitions,
): ReadinessReport => {
  const weights = weightsOf(policy);
  const measured = measuredWeight(weights, shares);
  const score = readinessScore(weights, shares, measured);
  const reasons = gateReasons(facts, policy, weights, shares, score, waivers, asOf);
  const decision = decide(reasons, score, true);
  const steps = (): readonly NextStep[] =>
    decision === 'go' ? suiteSteps(facts, policy) : nextSteps(facts, policy, shares, measured, waivers, asOf);
  const report: Report = {
    asOf,
    formula: formulaOf(weights),
    score: score === null ? null : fromHundredths(score),
    coverage: coverage(weights, measured),
    axes: readAxes(facts, policy, shares),
    gate: {
      decision,
      reasons,
      decisionWithoutWaivers: waivers.length === 0 ? decision : decide(reasons, score, false),
      waivers: waivers.length === 0 ? NO_WAIVERS : applyingWaivers(waivers, reasons, asOf),
      nextSteps: options.nextSteps === false ? NO_STEPS : steps(),
    },
    silentSources: silentSources(facts, policy, asOf),
  };
  if (policy.ownAxes !== undefined && policy.ownAxes.length > 0)
    report.ownAxes = readOwnAxes(facts, policy.ownAxes, shares, defined);
  return report;
};
