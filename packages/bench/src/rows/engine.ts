import {
  AXES,
  type Axis,
  assessRelease,
  createEngine,
  DEFAULT_POLICY,
  defineAxis,
  FIVE_AXES,
  type PerAxis,
  type Policy,
  type ReadinessReport,
  type ReleaseFacts,
} from '@shipworthy/domain/readiness';
import { Engine } from 'json-rules-engine';
import { alternate, comparedLine, type RowResult } from '../figures.js';
import type { BenchRow, RunSize } from './row.js';

/** The scores of the axes, computed beforehand; null: unmeasured. */
type AxisScores = PerAxis<number | null>;

/** A release as it is handed to the rules: an object per axis, as facts usually come. */
type ScoredAxes = PerAxis<{ readonly score: number | null }>;

const engineOf = (minimums: PerAxis<number>, place: (axis: Axis) => { fact: string; path?: string }): Engine => {
  const condition = (axis: Axis) => ({ ...place(axis), operator: 'greaterThanInclusive', value: minimums[axis] });
  return new Engine([{ conditions: { all: AXES.map(condition) }, event: { type: 'go' } }]);
};

/**
 * Whether the five minimums hold, by json-rules-engine: one rule with five conditions, built once. The rules look into
 * the object of each axis, which is what the library's `path` is for.
 */
const gateByPaths = (minimums: PerAxis<number>): ((axes: ScoredAxes) => Promise<boolean>) => {
  const engine = engineOf(minimums, (axis) => ({ fact: axis, path: '$.score' }));
  return async (axes) => (await engine.run(axes)).events.length > 0;
};

/** Like `gateByPaths`, but with each score as a separate fact: the library's fastest form. */
const gateByFlatFacts = (minimums: PerAxis<number>): ((scores: AxisScores) => Promise<boolean>) => {
  const engine = engineOf(minimums, (axis) => ({ fact: axis }));
  return async (scores) => (await engine.run(scores)).events.length > 0;
};

/** A small generator of whole numbers with a fixed seed: every run meets the same facts. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const CHECKLIST_TITLES = ['Docs', 'Feature flag', 'Rollback', 'Load test', 'Support briefed'];

type Below = (below: number) => number;

/** Ready to ship under the default policy. */
const ready = (below: Below, asOf: number): ReleaseFacts => {
  const others = 10 + below(200);
  const othersOpen = below(Math.ceil(others / 10));
  const tests = 200 + below(20_000);
  const minor = below(2);
  return {
    scope: { done: 12 + others - othersOpen, total: 12 + others + minor },
    quality: { resolved: 12, total: 12 + minor, open: { critical: 0, major: 0, minor, unspecified: 0 } },
    ops: { done: 5, total: 5, openItems: [] },
    verification: {
      passed: tests - below(Math.ceil(tests / 50)),
      total: tests,
      ranAt: asOf - below(86_400_000),
      suite: 'ci',
      commitSha: '4f2c1a9be07d',
      runs: 1,
    },
    stability: { succeeded: 30 + below(400), failed: below(5), inProgress: below(3) },
  };
};

/** Held for one or several measured reasons. */
const held = (below: Below, asOf: number): ReleaseFacts => {
  const facts = ready(below, asOf);
  const critical = below(3);
  const major = below(6);
  const open = 1 + below(4);
  return {
    ...facts,
    scope: { done: 8 + below(facts.scope.total), total: 8 + facts.scope.total + critical + major },
    quality: {
      resolved: 8,
      total: 8 + critical + major,
      open: { critical, major, minor: 0, unspecified: 0 },
    },
    ops: { done: 5 - open, total: 5, openItems: CHECKLIST_TITLES.slice(5 - open) },
    stability: { succeeded: 20 + below(100), failed: below(60), inProgress: 0 },
  };
};

/** Something that is required has not been measured, nothing measured fails. */
const unmeasured = (below: Below, asOf: number): ReleaseFacts => {
  const facts = ready(below, asOf);
  return below(2) === 0
    ? { ...facts, verification: null }
    : { ...facts, stability: { succeeded: 0, failed: 0, inProgress: below(2) } };
};

/** `count` releases as they occur: a third ready, a third held, a third with an axis that nothing was reported for. */
const engineFacts = (count: number, asOf: number): readonly ReleaseFacts[] => {
  const below = numbers(20_260_101);
  const kinds = [ready, held, unmeasured];
  return Array.from({ length: count }, (_, index) => (kinds[index % 3] ?? ready)(below, asOf));
};

const perAxis = <Value>(of: (axis: Axis) => Value): PerAxis<Value> => ({
  scope: of('scope'),
  quality: of('quality'),
  ops: of('ops'),
  verification: of('verification'),
  stability: of('stability'),
});

/** The scores of a report, for the rules that get them computed beforehand. */
const scoresOf = (report: ReadinessReport): AxisScores =>
  perAxis((axis) => {
    const reading = report.axes[AXES.indexOf(axis)];
    return reading?.state === 'measured' ? reading.score : null;
  });

/** The scores with an object per axis. */
const scoredAxes = (scores: AxisScores): ScoredAxes => perAxis((axis) => ({ score: scores[axis] }));

const allMinimumsHold = (report: ReadinessReport): boolean =>
  report.gate.reasons.every((reason) => reason.axis === null || reason.code === 'open_critical_bugs');

/** Compares what the contestants decide: if they disagreed, they would not be doing the same work. @throws Error */
const requireSameVerdicts = async (
  reports: readonly ReadinessReport[],
  byRules: (report: ReadinessReport) => Promise<boolean>,
): Promise<void> => {
  for (const report of reports)
    if ((await byRules(report)) !== allMinimumsHold(report))
      throw new Error('The engine and the rules disagree about the five minimums.');
  for (const decision of ['go', 'hold', 'unknown'])
    if (!reports.some((report) => report.gate.decision === decision))
      throw new Error(`No release of the mix is judged ${decision}.`);
};

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

interface Findings {
  readonly closed: number;
  readonly all: number;
}

const OWN_NAMES = ['access', 'budget', 'security'] as const;
const OWN_AXES = OWN_NAMES.map((name) =>
  defineAxis<Findings>({
    name,
    title: name,
    unit: { one: 'finding', many: 'findings' },
    measure: ({ closed, all }) => ({ part: closed, whole: all, cause: null }),
    explain: (_, { part, whole }) => `${part} of ${whole} findings closed`,
  }),
);
const OWN_FACTS = { access: { closed: 3, all: 4 }, budget: { closed: 4, all: 4 }, security: { closed: 48, all: 50 } };
/** Frozen, as the default policy is, so that the engine checks it only once. */
const OWN_POLICY: Policy = Object.freeze({
  ...DEFAULT_POLICY,
  ownAxes: Object.freeze(OWN_NAMES.map((name) => Object.freeze({ name, weight: 10, minimum: 50 }))),
});

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
  const withOwn = createEngine({ axes: [...FIVE_AXES, ...OWN_AXES] });
  const ownFacts = releases.map((facts) => ({ ...facts, ownAxes: OWN_FACTS }));
  let seen = 0;
  const count = (more: number): void => {
    seen += more;
  };
  return {
    seen: () => seen,
    full: (first: number) => count(sum(releases, first, full)),
    withoutSteps: (first: number) => count(sum(releases, first, withoutSteps)),
    withOwn: (first: number) =>
      count(sum(ownFacts, first, (facts) => withOwn.assess(facts, OWN_POLICY, AS_OF).axes.length)),
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
    withOwn: () => rate(turn, work.withOwn),
    byPaths: () => rate(turn, work.byPaths),
    byFlatFacts: () => rate(turn, work.byFlatFacts),
  });
  if (seen() === 0) throw new Error('Nothing was evaluated.');
  const report = { what: 'full report with reasons and next steps', unit: 'per second' } as const;
  const byPaths = 'json-rules-engine, five conditions';
  return {
    lines: [
      comparedLine(rounds, 'full', 'byPaths', { ...report, against: byPaths, aims: [{ of: 'ratio', least: 25 }] }),
      comparedLine(rounds, 'full', 'byFlatFacts', { ...report, against: `${byPaths}, its fastest form`, aims: [] }),
      comparedLine(rounds, 'withoutSteps', 'byPaths', {
        what: 'report without next steps',
        against: byPaths,
        unit: 'per second',
        aims: [{ of: 'measured', least: 1_000_000 }],
      }),
      comparedLine(rounds, 'withOwn', 'full', {
        what: 'the same with three axes of the program, of eight in all',
        against: 'the five axes alone',
        unit: 'per second',
        aims: [{ of: 'ratio', least: 0.6 }],
        whyMissed:
          'eight axes are 1.6 times the work of five, so 0.62x is about the most there could be; what is left is that facts of own axes are found by name, where those of the five have a fixed shape.',
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
export const engine: BenchRow = { name: 'engine', title: 'Readiness engine, one core', run };
