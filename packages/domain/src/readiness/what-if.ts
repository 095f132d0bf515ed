import type { Fault } from '../errors.js';
import type { Instant } from '../instant.js';
import { assessRelease } from './assess-release.js';
import type { PerAxis } from './axis.js';
import { under } from './basis-rules.js';
import { changedFacts, type FactChanges } from './changed-facts.js';
import { factFaults } from './fact-rules.js';
import type { ReleaseFacts } from './facts.js';
import type { Policy } from './policy.js';
import { policyFaults, unfitPolicyFaults } from './policy-rules.js';
import type { GateDecision, ReadinessReport } from './readiness-report.js';
import type { Waiver } from './waiver.js';

/** Demands taken for something else; what is left out stays as it is, within weights and minimums, too. */
export type PolicyChanges = Partial<Omit<Policy, 'weights' | 'minimums'>> & {
  readonly weights?: Partial<PerAxis<number>>;
  readonly minimums?: Partial<PerAxis<number>>;
};

/** What is asked: "what if these facts, or these demands, were other ones?" */
export interface WhatIfChanges {
  readonly facts?: FactChanges;
  readonly policy?: PolicyChanges;
}

/** What a report is computed from. */
export interface ReportBasis {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly waivers: readonly Waiver[];
  readonly asOf: Instant;
}

/** The report of the changed release, and how it stood before. */
export interface WhatIfAnswer {
  readonly report: ReadinessReport;
  readonly before: { readonly score: number | null; readonly coverage: number; readonly decision: GateDecision };
}

/** The answer, or every fault of the changed facts (pointers under `/facts`) and the changed policy (under `/policy`). */
export type WhatIf =
  | { readonly answer: WhatIfAnswer; readonly faults: readonly [] }
  | { readonly answer: null; readonly faults: readonly Fault[] };

/** The policy with these demands changed; whether it is valid is not looked at. */
export const changedPolicy = (policy: Policy, { weights, minimums, ...others }: PolicyChanges): Policy => ({
  ...policy,
  ...others,
  weights: { ...policy.weights, ...weights },
  minimums: { ...policy.minimums, ...minimums },
});

/**
 * Judges a release as if some of its facts or demands were other ones; waivers and moment stay. Pure, as the engine is.
 *
 * Facts are counts and do not show what other environments, or another way to verify, would count: a caller that changes
 * those must also give the facts as counted by them.
 */
export const whatIf = (
  { facts, policy, waivers, asOf }: ReportBasis,
  { facts: otherFacts = {}, policy: otherPolicy = {} }: WhatIfChanges,
): WhatIf => {
  const nextFacts = changedFacts(facts, otherFacts, asOf);
  const nextPolicy = changedPolicy(policy, otherPolicy);
  // Weights that are not asked about stay as they are stored, all of them 0, too.
  const policyRules = otherPolicy.weights === undefined ? unfitPolicyFaults : policyFaults;
  const faults = [...under('/facts', factFaults(nextFacts)), ...under('/policy', policyRules(nextPolicy))];
  if (faults.length > 0) return { answer: null, faults };
  const { score, coverage, gate } = assessRelease(facts, policy, asOf, waivers, { nextSteps: false });
  const report = assessRelease(nextFacts, nextPolicy, asOf, waivers);
  return { answer: { report, before: { score, coverage, decision: gate.decision } }, faults: [] };
};
