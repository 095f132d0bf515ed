import type { Gate, ReadinessReport } from '@shipworthy/client';
import type { LocalReport } from '../offline.js';
import { harmless } from '../output/safe-text.js';
import { table } from '../output/screen.js';
import { checklistLines } from './used-report.js';

/** The score for people, on one line with what it covers; explained on the lines that follow where that is wanted. */
export const scoreText = (
  report: LocalReport & Partial<Pick<ReadinessReport, 'project' | 'release' | 'frozen_at'>>,
  scorecard: string | null,
  explain: boolean,
): string => {
  const name = report.project && report.release ? `${report.project.name} ${report.release.name}: ` : '';
  return [
    harmless(`${name}${scoreLine(report)}`),
    ...(explain ? explanationLines(report) : []),
    harmless(
      `ship gate: ${decisionWords(report.gate)}${report.frozen_at === undefined ? '' : `, frozen at ${report.frozen_at}`}`,
    ),
    ...(scorecard === null ? [] : [`scorecard: ${scorecard}`]),
  ].join('\n');
};

type FiveReading = ReadinessReport['axes'][number];
type OwnReading = NonNullable<ReadinessReport['own_axes']>[number];
type Reading = FiveReading | OwnReading;
type Measured = Extract<Reading, { readonly state: 'measured' }>;
type Readings = Pick<ReadinessReport, 'axes' | 'own_axes'>;
type Judgement = Readings & Pick<ReadinessReport, 'score' | 'coverage' | 'silent_sources' | 'as_of' | 'formula'>;

/** The readings of all axes: of the five, then of the project's own. */
export const allReadings = ({ axes, own_axes = [] }: Readings): readonly Reading[] => [...axes, ...own_axes];

const isOwn = (reading: Reading): reading is OwnReading => 'title' in reading;

/** Part and whole of a measured axis, as whole numbers; for an axis of a later server, its score as answered. */
const shareOf = (reading: Measured): readonly [part: number, whole: number] => {
  if (isOwn(reading)) {
    const { part, whole } = reading.facts ?? { part: reading.score, whole: 100 };
    return [part, whole ?? 100];
  }
  switch (reading.axis) {
    case 'scope':
    case 'ops':
      return [reading.facts.done, reading.facts.total];
    case 'quality':
      // Issues of which none is a bug are the best there can be.
      return reading.facts.total === 0 ? [1, 1] : [reading.facts.resolved, reading.facts.total];
    case 'verification':
      return [reading.facts.passed, reading.facts.total];
    case 'stability':
      return [reading.facts.succeeded, reading.facts.succeeded + reading.facts.failed];
    default:
      return [(reading as Measured).score, 100];
  }
};

const isMeasured = (reading: Reading): reading is Measured => reading.state === 'measured';

/** Why an axis is not measured; of one in a state that a later server has, the state. */
export const unmeasuredWord = ({ cause, state }: { readonly cause?: string; readonly state: string }): string =>
  cause ?? state;

const rowOf = (reading: Reading): readonly string[] => [
  reading.axis,
  isMeasured(reading) ? shownScore(reading.score) : unmeasuredWord(reading),
  String(reading.weight),
  isMeasured(reading) ? shareOf(reading).join('/') : '-',
  reading.explanation,
];

/** The weighted mean written out, from the exact shares. */
export const arithmetic = ({ score, ...judged }: Readings & Pick<Judgement, 'score'>): string => {
  const axes = allReadings(judged);
  if (measuredAxes(axes).of === 0) return `score = none: ${NO_WEIGHTS}`;
  const counting = axes.filter(isMeasured).filter(({ weight }) => weight > 0);
  if (score === null || counting.length === 0) return 'score = none: no axis of weight is measured';
  const terms = counting.map((reading) => `${reading.weight} * ${shareOf(reading).join('/')}`);
  const weights = counting.map(({ weight }) => weight);
  return `score = 100 * (${terms.join(' + ')}) / (${weights.join(' + ')}) = ${score}, rounded down; shown as ${shownScore(score)}`;
};

const coverageLine = ({ coverage, ...judged }: Judgement): string => {
  const axes = allReadings(judged);
  const all = axes.reduce((sum, { weight }) => sum + weight, 0);
  const measured = axes.reduce((sum, { weight, state }) => sum + (state === 'measured' ? weight : 0), 0);
  if (all === 0) return `coverage = ${coverage}: ${NO_WEIGHTS}`;
  return `coverage = ${measured} / ${all} = ${coverage}`;
};

const SOURCES = new Map<string, string>([
  ['deployments', 'deployment'],
  ['test_runs', 'test run'],
]);
const BASES = new Map<string, string>([
  ['policy', 'the policy'],
  ['rhythm', 'its own rhythm'],
]);

const silenceLines = ({ silent_sources: sources }: Judgement): readonly string[] =>
  sources.map(
    ({ source, last_at, limit_hours, basis }) =>
      `silent: no ${SOURCES.get(source) ?? source} since ${last_at}, expected within ${limit_hours} h (by ${BASES.get(basis) ?? basis})`,
  );

/** Everything the score follows from: all axes with their shares, weights and words, the arithmetic, what was taken out of the checklist, silent sources, the moment. */
export const explanationLines = (judged: Judgement): readonly string[] => [
  table(['AXIS', 'SCORE', 'WEIGHT', 'SHARE', 'BECAUSE'], allReadings(judged).map(rowOf)),
  arithmetic(judged),
  coverageLine(judged),
  ...checklistLines(judged),
  ...silenceLines(judged).map(harmless),
  `as of ${judged.as_of}, formula ${judged.formula}`,
];

/** A number of the scale 0-100 as people see it: one decimal, rounded down, so that 79.96 never reads 80.0. */
export const shownScore = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

type Decided = Pick<ReadinessReport['gate'], 'decision' | 'decision_without_waivers' | 'waivers'>;

/** The waivers that make a decision: `with 1 waiver; without it: hold`; empty without any. */
const waiverWords = ({ decision_without_waivers: without, waivers }: Decided): string => {
  if (waivers.length === 0) return '';
  const [some, them] = waivers.length === 1 ? ['1 waiver', 'it'] : [`${waivers.length} waivers`, 'them'];
  return `with ${some}; without ${them}: ${without}`;
};

/** The decision with the waivers that make it: `go with 1 waiver; without it: hold`; without waivers the word alone. */
export const decisionWords = (gate: Decided): string => `${gate.decision} ${waiverWords(gate)}`.trim();

/** How many axes that count are measured. */
export const measuredAxes = (
  axes: readonly Pick<Reading, 'state' | 'weight'>[],
): { readonly measured: number; readonly of: number } => {
  const counting = axes.filter(({ weight }) => weight > 0);
  return { measured: counting.filter(({ state }) => state === 'measured').length, of: counting.length };
};

/** Said where the gate's reason is `no_weights`. */
export const NO_WEIGHTS = 'every weight of the policy is 0';

/** The score with what it covers: `84.2, 4 of 5 measured`; without any weight, that there is none. */
export const scoreLine = ({ score, ...judged }: Readings & Pick<ReadinessReport, 'score'>): string => {
  const { measured, of } = measuredAxes(allReadings(judged));
  if (of === 0) return `no score: ${NO_WEIGHTS}`;
  return `${score === null ? 'no score' : shownScore(score)}, ${measured} of ${of} measured`;
};

const reasonLines = ({ reasons }: Gate): readonly string[] =>
  reasons.map(({ message, waived }) => `  ${waived ? 'waived ' : 'because'}  ${harmless(message)}`);

const waiverLines = ({ waivers, decision, decision_without_waivers: without }: Gate): readonly string[] =>
  waivers.length === 0
    ? []
    : [
        `without waivers: ${without}${without === decision ? ' as well' : ''}`,
        ...waivers.map(({ code, axis, created_by, expires_at, text }) => {
          const what = axis === undefined ? code : `${code} of ${axis}`;
          return harmless(`  ${what}, accepted by ${created_by} until ${expires_at}: ${text}`);
        }),
      ];

const stepLines = ({ next_steps: steps }: Gate): readonly string[] =>
  steps.length === 0
    ? []
    : [
        'next steps',
        ...steps.map(({ message, gain }) => {
          const adds = gain === null ? '' : ` (+${shownScore(gain)})`;
          return `  ${harmless(message)}${adds}`;
        }),
      ];

/** The reasons in their order, the waivers with what would be decided without them, the next steps with their gains. */
export const gateLines = (gate: Gate): readonly string[] => [
  ...reasonLines(gate),
  ...waiverLines(gate),
  ...stepLines(gate),
];

/** The verdict for people: the decision in a word on the first line, the waivers that make it on the next, then all it rests on. */
export const verdictText = (
  report: Readings & Pick<ReadinessReport, 'score' | 'gate'> & Partial<Pick<ReadinessReport, 'project' | 'release'>>,
  scorecard: string | null,
): string => {
  const name = report.project && report.release ? `${report.project.name} ${report.release.name}: ` : '';
  return [
    report.gate.decision,
    ...(report.gate.waivers.length === 0 ? [] : [harmless(waiverWords(report.gate))]),
    harmless(`${name}${scoreLine(report)}`),
    ...gateLines(report.gate),
    ...checklistLines(report),
    ...(scorecard === null ? [] : [`scorecard: ${scorecard}`]),
  ].join('\n');
};
