import type { Instant } from '../time.js';
import { measureFiveAxes, readFiveAxes } from './all-axes.js';
import { type Definitions, measureOwnAxis, NO_DEFINITIONS, readOwnAxes } from './axes/own.js';
import { AXES } from './axis.js';
import { type Basis, checkedBasis, NO_WAIVERS } from './basis.js';
import type { ReleaseFacts } from './facts.js';
import { applyingWaivers, decide, gateReasons } from './gate.js';
import { coverage, fromHundredths, measuredWeight, readinessScore, type Shares } from './numbers.js';
import { type Policy, weightsOf } from './policy.js';
import type { GateDecision, NextStep, ReadinessReport } from './report.js';
import { silentSources } from './silent-source.js';
import type { Waiver } from './waiver.js';

const NO_STEPS: readonly NextStep[] = Object.freeze([]);

/**
 * Judges one release without next steps: the report of `assessRelease` with an empty `gate.nextSteps`. For pages and workers that
 * only show score, decision and reasons: a bundle with it alone has two thirds of the size, without the search for the least work
 * and without the fast check of the arguments. A report takes some 20 microseconds in place of 2.
 *
 * Takes the arguments of `assessRelease`, and refuses the same ones with the same errors.
 */
export const judgeRelease = (
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[] = NO_WAIVERS,
): ReadinessReport =>
  judgeBasis(checkedBasis(facts, policy, asOf, waivers, NO_DEFINITIONS), asOf, NO_DEFINITIONS, noSteps);

/** Finds the next steps of a release with that decision. `measured` is the weight of the measured axes. */
export type FindSteps = (
  decision: GateDecision,
  basis: Basis,
  shares: Shares,
  measured: number,
  asOf: Instant,
) => readonly NextStep[];

export const noSteps: FindSteps = () => NO_STEPS;

/** Judges a basis that passed its checks, with the next steps that `findSteps` returns. */
export const judgeBasis = (basis: Basis, asOf: Instant, defined: Definitions, findSteps: FindSteps): ReadinessReport =>
  judged(basis, asOf, findSteps, measuredAll(basis, asOf, defined), defined);

const measuredAll = ({ facts, policy }: Basis, asOf: Instant, defined: Definitions): Shares => {
  const shares = measureFiveAxes(facts, policy, asOf);
  for (const axis of policy.ownAxes ?? []) shares.push(measureOwnAxis(facts, axis, asOf, defined));
  return shares;
};

/** Returns `2` if an own axis has a weight above 0: only that changes what the numbers mean. */
const formulaOf = (weights: readonly number[]): ReadinessReport['formula'] => {
  for (let place = AXES.length; place < weights.length; place += 1) if ((weights[place] ?? 0) > 0) return '2';
  return '1';
};

/** A report that is being made. */
type Report = { -readonly [Name in keyof ReadinessReport]: ReadinessReport[Name] };

const judged = (
  basis: Basis,
  asOf: Instant,
  findSteps: FindSteps,
  shares: Shares,
  defined: Definitions,
): ReadinessReport => {
  const { facts, policy, waivers } = basis;
  const weights = weightsOf(policy);
  const measured = measuredWeight(weights, shares);
  const score = readinessScore(weights, shares, measured);
  const reasons = gateReasons(facts, policy, weights, shares, score, waivers, asOf);
  const decision = decide(reasons, score, true);
  const report: Report = {
    asOf,
    formula: formulaOf(weights),
    score: score === null ? null : fromHundredths(score),
    coverage: coverage(weights, measured),
    axes: readFiveAxes(facts, policy, shares),
    gate: {
      decision,
      reasons,
      decisionWithoutWaivers: waivers.length === 0 ? decision : decide(reasons, score, false),
      waivers: waivers.length === 0 ? NO_WAIVERS : applyingWaivers(waivers, reasons, asOf),
      nextSteps: findSteps(decision, basis, shares, measured, asOf),
    },
    silentSources: silentSources(facts, policy, asOf),
  };
  if (policy.ownAxes !== undefined && policy.ownAxes.length > 0)
    report.ownAxes = readOwnAxes(facts, policy.ownAxes, shares, defined);
  return report;
};
