import fc from 'fast-check';
import {
  assessRelease,
  basisFaults,
  factFaults,
  type Policy,
  policyFaults,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { mutated, nearFacts, nearPolicy, oddValue } from '../readiness/anything.js';
import { anyFacts, anyPolicy } from '../readiness/arbitrary-release.js';
import { everyAxis, NOW, policy, waiver } from '../readiness/sample-release.js';
import { CountedReads } from './counted-reads.js';

/** How many cases, drawn from which seed on. */
export interface FuzzSize {
  readonly cases: number;
  readonly seed: number;
  readonly onProgress?: (tally: FuzzTally) => void;
}

/** What became of the cases. */
export interface FuzzTally {
  readonly cases: number;
  /** Cases that ended in a report, and those that ended in a TypeError. */
  readonly judged: number;
  readonly refused: number;
  /** The most reads of one case. */
  readonly mostReads: number;
  /** What went wrong first, with the seed and path that lead there again; null: nothing. */
  readonly finding: string | null;
}

/** Cases of one seed; the next ones have the next seed. */
const PORTION = 5_000;

const json = fc.jsonValue();
const anyMoment = fc.oneof({ weight: 12, arbitrary: fc.constant(NOW) }, { weight: 1, arbitrary: oddValue });
const nearWaivers = fc.array(
  fc.oneof(fc.constant(waiver({})), mutated({ ...waiver({ code: 'axis_below_minimum', axis: 'ops', actual: 50 }) })),
  { maxLength: 3 },
);
const anyBasis = fc.tuple(
  fc.oneof(
    { weight: 1, arbitrary: json },
    { weight: 3, arbitrary: nearFacts },
    { weight: 3, arbitrary: anyFacts.chain((facts) => mutated({ ...facts })) },
    { weight: 8, arbitrary: anyFacts },
  ),
  fc.oneof(
    { weight: 1, arbitrary: json },
    { weight: 3, arbitrary: nearPolicy },
    { weight: 9, arbitrary: anyPolicy },
    { weight: 1, arbitrary: fc.constant(policy({ weights: everyAxis(0) })) },
  ),
  anyMoment,
  fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: json },
    { weight: 3, arbitrary: nearWaivers },
  ),
);

const fail = (what: string): never => {
  throw new Error(what);
};

/** The score, or the TypeError it ended in. */
const judge = (facts: unknown, rules: unknown, asOf: unknown, waivers: unknown): number | null | TypeError => {
  try {
    return assessRelease(facts as ReleaseFacts, rules as Policy, asOf as number, waivers as readonly Waiver[]).score;
  } catch (error) {
    return error instanceof TypeError ? error : fail(`assessRelease threw ${String(error)}`);
  }
};

/** Hands the engine as many inputs as are asked for, until something goes wrong. */
export const judgeAnything = ({ cases, seed, onProgress }: FuzzSize): FuzzTally => {
  let tally: FuzzTally = { cases: 0, judged: 0, refused: 0, mostReads: 0, finding: null };
  const property = fc.property(anyBasis, ([facts, rules, asOf, waivers]) => {
    const reads = new CountedReads([facts, rules, waivers]);
    const [counted, demands, accepted] = [reads.of(facts), reads.of(rules), reads.of(waivers)];
    const found = [factFaults(counted), policyFaults(demands)];
    for (const { length } of found) if (length > 101) fail(`${length} faults are listed`);
    const outcome = judge(counted, demands, asOf, accepted);
    if (reads.areTooMany) fail(`${reads.count} reads for ${reads.values} values`);
    const isFit = basisFaults(facts, rules, asOf, waivers === undefined ? [] : waivers).length === 0;
    if (isFit === outcome instanceof TypeError)
      fail(isFit ? `refused without a fault: ${String(outcome)}` : 'judged with a fault');
    const isRefused = outcome instanceof TypeError;
    if (!isRefused && outcome !== null && !(outcome >= 0 && outcome <= 100)) fail(`the score is ${outcome}`);
    tally = {
      ...tally,
      cases: tally.cases + 1,
      judged: tally.judged + (isRefused ? 0 : 1),
      refused: tally.refused + (isRefused ? 1 : 0),
      mostReads: Math.max(tally.mostReads, reads.count),
    };
  });
  for (let portion = 0; portion * PORTION < cases; portion += 1) {
    const numRuns = Math.min(PORTION, cases - portion * PORTION);
    const run = fc.check(property, { numRuns, seed: seed + portion, endOnFailure: false });
    if (run.failed)
      return { ...tally, finding: `seed ${run.seed}, path ${run.counterexamplePath}: ${fc.defaultReportMessage(run)}` };
    onProgress?.(tally);
  }
  return tally;
};
