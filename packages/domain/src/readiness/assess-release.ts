import type { Instant } from '../time.js';
import { type Definitions, NO_DEFINITIONS } from './axes/own.js';
import { NO_WAIVERS, requireBasis } from './basis.js';
import type { ReleaseFacts } from './facts.js';
import { type FindSteps, judgeBasis, noSteps } from './judge-release.js';
import { nextSteps, suiteSteps } from './next-steps.js';
import type { Policy } from './policy.js';
import type { ReadinessReport } from './report.js';
import type { Waiver } from './waiver.js';

/** What a caller may leave out of a report. */
export interface AssessOptions {
  /** Whether the next steps are worked out; without them `gate.nextSteps` is empty. Default true. */
  readonly nextSteps?: boolean;
}

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

/** Judges a release like `assessRelease`, with the axes that a program defines. */
export const assessWith = (
  defined: Definitions,
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[],
  options: AssessOptions,
): ReadinessReport => {
  const basis = requireBasis(facts, policy, asOf, waivers, defined);
  return judgeBasis(basis, asOf, defined, options.nextSteps === false ? noSteps : leastSteps);
};

/** The least steps that yield `go`; if it is `go`, the statement that the policy leaves a suite out, where it does. */
const leastSteps: FindSteps = (decision, { facts, policy, waivers }, shares, measured, asOf) =>
  decision === 'go' ? suiteSteps(facts, policy) : nextSteps(facts, policy, shares, measured, waivers, asOf);
