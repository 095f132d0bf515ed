import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '@shipworthy/domain/readiness';
import { gateByFlatFacts, gateByPaths } from '../baseline/gate-rules.js';
import { alternate } from '../measure/alternate.js';
import { lineOf, type RowResult } from '../measure/line.js';
import { engineFacts } from './engine-facts.js';
import { requireSameVerdicts, scoredAxes, scoresOf } from './engine-verdicts.js';
import type { Row, RunSize } from './row.js';

const RELEASES = 999;
const BATCH = 333;
const AS_OF = Date.UTC(2026, 0, 15, 12);
const NO_STEPS = { nextSteps: false };

/** How many releases per second a batch function works through, taking them in turn. */
const rate = async (seconds: number, batch: (first: number) => Promise<void> | void): Promise<number> => {
  const begin = performance.now();
  let done = 0;
  let elapsed = 0;
  do {
    await batch(done % RELEASES);
    done += BATCH;
    elapsed = performance.now() - begin;
  } while (elapsed < seconds * 1_000);
  return (done / elapsed) * 1_000;
};

/** Works through a part of the list; what is added up keeps the compiler from dropping the work. */
const sum = <Item>(items: readonly Item[], first: number, work: (item: Item) => number): number => {
  let total = 0;
  for (let index = first; index < first + BATCH; index += 1) {
    const item = items[index];
    if (item !== undefined) total += work(item);
  }
  return total;
};

const prepare = async () => {
  const releases = engineFacts(RELEASES, AS_OF);
  const reports = releases.map((facts) => assessRelease(facts, DEFAULT_POLICY, AS_OF));
  const scores = reports.map(scoresOf);
  const axes = scores.map(scoredAxes);
  const byPaths = gateByPaths(DEFAULT_POLICY.minimums);
  const byFlatFacts = gateByFlatFacts(DEFAULT_POLICY.minimums);
  await requireSameVerdicts(reports, (report) => byPaths(scoredAxes(scoresOf(report))));
  await requireSameVerdicts(reports, (report) => byFlatFacts(scoresOf(report)));
  const full = (facts: ReleaseFacts): number => assessRelease(facts, DEFAULT_POLICY, AS_OF).axes.length;
  const withoutSteps = (facts: ReleaseFacts): number =>
    assessRelease(facts, DEFAULT_POLICY, AS_OF, undefined, NO_STEPS).axes.length;
  let seen = 0;
  const count = (more: number): void => {
    seen += more;
  };
  return {
    seen: () => seen,
    full: (first: number) => count(sum(releases, first, full)),
    withoutSteps: (first: number) => count(sum(releases, first, withoutSteps)),
    byPaths: async (first: number) => {
      for (const item of axes.slice(first, first + BATCH)) if (await byPaths(item)) seen += 1;
    },
    byFlatFacts: async (first: number) => {
      for (const item of scores.slice(first, first + BATCH)) if (await byFlatFacts(item)) seen += 1;
    },
  };
};

const run = async (size: RunSize): Promise<RowResult> => {
  const { seen, ...work } = await prepare();
  for (const batch of Object.values(work)) await rate(size.warmUpSeconds / 2, batch);
  const turn = size.seconds / 2;
  const rounds = await alternate(size.rounds, {
    full: () => rate(turn, work.full),
    withoutSteps: () => rate(turn, work.withoutSteps),
    byPaths: () => rate(turn, work.byPaths),
    byFlatFacts: () => rate(turn, work.byFlatFacts),
  });
  if (seen() === 0) throw new Error('Nothing was evaluated.');
  const report = { what: 'full report with reasons and next steps', unit: 'per second' } as const;
  const byPaths = 'json-rules-engine, five conditions';
  return {
    lines: [
      lineOf(rounds, 'full', 'byPaths', { ...report, against: byPaths, aims: [{ of: 'ratio', least: 25 }] }),
      lineOf(rounds, 'full', 'byFlatFacts', { ...report, against: `${byPaths}, its fastest form`, aims: [] }),
      lineOf(rounds, 'withoutSteps', 'byPaths', {
        what: 'report without next steps',
        against: byPaths,
        unit: 'per second',
        aims: [{ of: 'measured', least: 1_000_000 }],
      }),
    ],
    verifiedRecords: 0,
    remarks: [
      'A third of the releases is judged go, a third hold, a third unknown; the rules decide the same five minimums of every one alike.',
      'The rules get the scores computed beforehand and answer yes or no: as an object per axis, or each score as a fact of its own (the fastest form).',
    ],
  };
};

/** The pure engine against a general rules engine that evaluates the same five minimums. */
export const engine: Row = { name: 'engine', title: 'Readiness engine, one core', run };
