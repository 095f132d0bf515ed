import type { Fault } from '../errors.js';
import { assessRelease } from './assess-release.js';
import { basisFaults } from './basis-rules.js';
import { readPredicate } from './read-predicate.js';
import type { ReadinessReport } from './readiness-report.js';
import { factsOfVerdict, policyOfVerdict, waiverOfVerdict } from './verdict-basis.js';
import type { VerdictPredicate, VerdictResult } from './verdict-predicate.js';

/** What comes out when a verdict is computed again. */
export type Recomputation =
  | { readonly outcome: 'agrees'; readonly report: ReadinessReport }
  /** `differs` names the members of the result that do not come out again. */
  | {
      readonly outcome: 'disagrees';
      readonly report: ReadinessReport;
      readonly differs: readonly (keyof VerdictResult)[];
    }
  /** `members` are pointers to facts, demands or waivers that this engine does not know; without them it comes out otherwise. */
  | { readonly outcome: 'unknown_members'; readonly members: readonly string[] }
  /** This engine knows another formula only. */
  | { readonly outcome: 'unknown_formula' }
  /** It is no predicate, or its facts or policy cannot be assessed; pointers are into the predicate. */
  | { readonly outcome: 'unfit'; readonly faults: readonly Fault[] };

/** What is judged of the reasons; how they are put into words may be improved without another formula. */
const judged = (reasons: readonly (Omit<VerdictResult['reasons'][number], 'axis'> & { axis?: string | null })[]) =>
  JSON.stringify(
    reasons.map(({ code, axis, actual, required, waived }) => [code, axis ?? null, actual, required, waived]),
  );

const differences = ({ score, coverage, gate }: ReadinessReport, said: VerdictResult): (keyof VerdictResult)[] => {
  const differs: (keyof VerdictResult)[] = [];
  if (score !== said.score) differs.push('score');
  if (coverage !== said.coverage) differs.push('coverage');
  if (gate.decision !== said.decision) differs.push('decision');
  if (gate.decisionWithoutWaivers !== said.decision_without_waivers) differs.push('decision_without_waivers');
  if (judged(gate.reasons) !== judged(said.reasons)) differs.push('reasons');
  return differs;
};

/** Pointers to the members of `given` that were not read: a later engine may judge by them. */
const unreadIn = (given: unknown, read: unknown, pointer: string): readonly string[] => {
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return [];
  const copy: Readonly<Record<string, unknown>> = { ...read };
  return Object.entries(given).flatMap(([name, member]) =>
    Object.hasOwn(copy, name) ? unreadIn(member, copy[name], `${pointer}/${name}`) : [`${pointer}/${name}`],
  );
};

/** The version of a policy is its name, not a demand. */
const NO_DEMAND = '/policy/version';

const unknownMembers = (value: unknown, read: VerdictPredicate): readonly string[] => {
  try {
    const { facts, policy, waivers } = value as Readonly<Record<keyof VerdictPredicate, unknown>>;
    return [
      ...unreadIn(facts, read.facts, '/facts'),
      ...unreadIn(policy, read.policy, '/policy').filter((pointer) => pointer !== NO_DEMAND),
      ...unreadIn(waivers, read.waivers, '/waivers'),
    ];
  } catch {
    return [];
  }
};

/** Whether it says that it was judged by a formula this engine does not know; then its structure may be another one, too. */
const isOfAnotherFormula = (predicate: unknown): boolean => {
  try {
    if (typeof predicate !== 'object' || predicate === null || !Object.hasOwn(predicate, 'formula')) return false;
    const { formula } = predicate as { readonly formula: unknown };
    return typeof formula === 'string' && formula !== '1';
  } catch {
    return false;
  }
};

/**
 * Judges the release again by the facts, policy and waivers in a signed verdict, and compares every number and decision with
 * those of the verdict. Pure like the engine itself, and total: returns an outcome for any value and never throws. It does
 * not check who signed: verify the signature first.
 * @param value the predicate of a verdict's statement (`VerdictPredicate`), or anything said to be one
 */
export const recomputeVerdict = (value: unknown): Recomputation => {
  if (isOfAnotherFormula(value)) return { outcome: 'unknown_formula' };
  const { predicate, faults: misread } = readPredicate(value);
  if (predicate === undefined) return { outcome: 'unfit', faults: misread };
  const facts = factsOfVerdict(predicate.facts);
  const policy = policyOfVerdict(predicate.policy);
  const waivers = predicate.waivers.map((waiver) => waiverOfVerdict(waiver, predicate.release.id));
  const asOf = Date.parse(predicate.as_of);
  const faults = basisFaults(facts, policy, asOf, waivers);
  if (faults.length > 0) return { outcome: 'unfit', faults };
  const report = assessRelease(facts, policy, asOf, waivers);
  const differs = differences(report, predicate.result);
  if (differs.length === 0) return { outcome: 'agrees', report };
  const members = unknownMembers(value, predicate);
  return members.length > 0 ? { outcome: 'unknown_members', members } : { outcome: 'disagrees', report, differs };
};
