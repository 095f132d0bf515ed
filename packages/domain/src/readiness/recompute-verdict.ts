import type { Fault } from '../errors.js';
import { assessRelease } from './assess-release.js';
import { factFaults } from './fact-rules.js';
import { policyFaults } from './policy-rules.js';
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
  /** This engine knows another formula only. */
  | { readonly outcome: 'unknown_formula' }
  /** Facts or policy that cannot be assessed; pointers are into the predicate. */
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

const within = (place: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: `/${place}${fault.pointer}` }));

/**
 * Judges again from what a signed verdict carries, and compares every number and every decision with what it says.
 * Pure like the engine itself. It proves nothing about who signed: verify the signature first, which also vouches for the
 * predicate's structure.
 */
export const recomputeVerdict = (predicate: VerdictPredicate): Recomputation => {
  if (predicate.formula !== '1') return { outcome: 'unknown_formula' };
  const facts = factsOfVerdict(predicate.facts);
  const policy = policyOfVerdict(predicate.policy);
  const faults = [...within('facts', factFaults(facts)), ...within('policy', policyFaults(policy))];
  if (faults.length > 0) return { outcome: 'unfit', faults };
  const waivers = predicate.waivers.map((waiver) => waiverOfVerdict(waiver, predicate.release.id));
  const report = assessRelease(facts, policy, Date.parse(predicate.as_of), waivers);
  const differs = differences(report, predicate.result);
  return differs.length === 0 ? { outcome: 'agrees', report } : { outcome: 'disagrees', report, differs };
};
