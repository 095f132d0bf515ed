import type { Gate, ReadinessReport } from '@shipworthy/client';
import type { Schema } from '@shipworthy/client/contract';
import type { LocalReport } from '../offline.js';
import { harmless } from '../output/safe-text.js';
import { table } from '../output/screen.js';
import { FLAG, listOf, NUMBER, nullable, objectWith, requireUsed, schemaFaults, TEXT } from '../schema.js';

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

/** Why an axis is not measured; the state itself where only a later server knows it. */
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
export const arithmetic = ({ score, ...readings }: Readings & Pick<Judgement, 'score'>): string => {
  const axes = allReadings(readings);
  if (measuredAxes(axes).of === 0) return `score = none: ${NO_WEIGHTS}`;
  const counting = axes.filter(isMeasured).filter(({ weight }) => weight > 0);
  if (score === null || counting.length === 0) return 'score = none: no axis of weight is measured';
  const terms = counting.map((reading) => `${reading.weight} * ${shareOf(reading).join('/')}`);
  const weights = counting.map(({ weight }) => weight);
  return `score = 100 * (${terms.join(' + ')}) / (${weights.join(' + ')}) = ${score}, rounded down; shown as ${shownScore(score)}`;
};

const coverageLine = ({ coverage, ...readings }: Judgement): string => {
  const axes = allReadings(readings);
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

/**
 * Everything the score follows from: all axes with their shares, weights and explanations, the arithmetic, what was
 * taken out of the checklist, silent sources, the moment.
 */
export const explanationLines = (judgement: Judgement): readonly string[] => [
  table(['AXIS', 'SCORE', 'WEIGHT', 'SHARE', 'BECAUSE'], allReadings(judgement).map(rowOf)),
  arithmetic(judgement),
  coverageLine(judgement),
  ...checklistLines(judgement),
  ...silenceLines(judgement).map(harmless),
  `as of ${judgement.as_of}, formula ${judgement.formula}`,
];

/** A number of the scale 0-100 as people see it: one decimal, rounded down, so that 79.96 never reads 80.0. */
export const shownScore = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

type DecisionWithWaivers = Pick<ReadinessReport['gate'], 'decision' | 'decision_without_waivers' | 'waivers'>;

/** The waivers that make a decision: `with 1 waiver; without it: hold`; empty without any. */
const waiverWords = ({ decision_without_waivers: without, waivers }: DecisionWithWaivers): string => {
  if (waivers.length === 0) return '';
  const [some, them] = waivers.length === 1 ? ['1 waiver', 'it'] : [`${waivers.length} waivers`, 'them'];
  return `with ${some}; without ${them}: ${without}`;
};

/** The decision with the waivers that make it: `go with 1 waiver; without it: hold`; without waivers the word alone. */
export const decisionWords = (gate: DecisionWithWaivers): string => `${gate.decision} ${waiverWords(gate)}`.trim();

/** How many axes that count are measured. */
export const measuredAxes = (
  axes: readonly Pick<Reading, 'state' | 'weight'>[],
): { readonly measured: number; readonly of: number } => {
  const counting = axes.filter(({ weight }) => weight > 0);
  return { measured: counting.filter(({ state }) => state === 'measured').length, of: counting.length };
};

/** Said where the gate's reason is `no_weights`. */
const NO_WEIGHTS = 'every weight of the policy is 0';

/** The score with what it covers: `84.2, 4 of 5 measured`; without any weight, that there is none. */
export const scoreLine = ({ score, ...readings }: Readings & Pick<ReadinessReport, 'score'>): string => {
  const { measured, of } = measuredAxes(allReadings(readings));
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

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type NotApplicableItem = NonNullable<OpsFacts['not_applicable']>[number];

const TEXT_OR_NULL = nullable(TEXT);

/** The members of ops facts that list items left out of the checklist. The server leaves an empty list out. */
const CHECKLIST_MEMBERS: Readonly<Record<'not_applicable' | 'removed', Schema>> = {
  not_applicable: listOf(
    objectWith({
      title: TEXT,
      reason: TEXT_OR_NULL,
      by: TEXT_OR_NULL,
      at: TEXT_OR_NULL,
      confirmed: FLAG,
      confirmed_by: TEXT_OR_NULL,
    }),
  ),
  removed: listOf(objectWith({ title: TEXT, by: TEXT, at: TEXT })),
};

const CHECKLIST_FACTS = objectWith(CHECKLIST_MEMBERS, 'not_applicable', 'removed');

const notApplicableLine = ({ title, reason, by, at, confirmed, confirmed_by }: NotApplicableItem): string => {
  const made = by === null || at === null ? '' : `, marked by ${by} at ${at}`;
  const confirmation = confirmed_by === null ? '' : `, confirmed by ${confirmed_by}`;
  const because = reason === null ? 'no reason recorded' : reason;
  return `${confirmed ? 'not applicable' : 'awaits an owner, counts as open'}: ${title}${made}${confirmation}: ${because}`;
};

/**
 * Lines on items left out of the launch checklist: those marked as not applicable, with reason and person, and removed ones.
 * None when that part of the answer cannot be read: the decision does not depend on it.
 */
export const checklistLines = ({ axes }: Pick<ReadinessReport, 'axes'>): readonly string[] => {
  const ops = axes.find(({ axis }) => axis === 'ops');
  if (ops?.axis !== 'ops' || ops.facts === undefined || schemaFaults(CHECKLIST_FACTS, ops.facts, '').length > 0)
    return [];
  const { not_applicable: marks = [], removed = [] } = ops.facts;
  return [
    ...marks.map(notApplicableLine),
    ...removed.map(({ title, by, at }) => `removed from the checklist: ${title}, by ${by} at ${at}`),
  ].map(harmless);
};

/** The members of a gate that are shown. Its decision is one of the three words; the client refuses any other. */
export const GATE: Schema = objectWith({
  decision: TEXT,
  decision_without_waivers: TEXT,
  reasons: listOf(objectWith({ message: TEXT, waived: FLAG })),
  waivers: listOf(objectWith({ code: TEXT, axis: TEXT, created_by: TEXT, expires_at: TEXT, text: TEXT }, 'axis')),
  next_steps: listOf(objectWith({ message: TEXT, gain: nullable(NUMBER) })),
});

const USED_READINGS = listOf(objectWith({ state: TEXT, weight: NUMBER }));
const JUDGEMENT_MEMBERS = {
  score: nullable(NUMBER),
  coverage: NUMBER,
  axes: USED_READINGS,
  own_axes: USED_READINGS,
  gate: GATE,
};
const named = objectWith({ id: TEXT, name: TEXT });

/** The members of a report that the gate's text needs. */
export const REPORT: Schema = objectWith(
  { ...JUDGEMENT_MEMBERS, project: named, release: named, as_of: TEXT, frozen_at: TEXT },
  'frozen_at',
  'own_axes',
);

/** The members of a what-if that are shown: the report with the assumed changes, and the figures before them. */
export const WHAT_IF: Schema = objectWith({
  report: objectWith(JUDGEMENT_MEMBERS, 'own_axes'),
  before: objectWith({ score: nullable(NUMBER), coverage: NUMBER, decision: TEXT }),
});

const COUNTS = { done: NUMBER, total: NUMBER };
const OPEN_BUGS = objectWith({ critical: NUMBER, major: NUMBER, minor: NUMBER, unspecified: NUMBER });

/** The counts of each axis that this version knows. */
const FACTS: Readonly<Record<string, Schema>> = {
  scope: objectWith(COUNTS),
  quality: objectWith({ resolved: NUMBER, total: NUMBER, open: OPEN_BUGS }),
  ops: objectWith({ ...COUNTS, ...CHECKLIST_MEMBERS }, 'not_applicable', 'removed'),
  verification: objectWith({ passed: NUMBER, total: NUMBER }),
  stability: objectWith({ succeeded: NUMBER, failed: NUMBER, in_progress: NUMBER }),
};

const readingOf = ({ axis, state }: Partial<Reading>): Schema => {
  const known = typeof axis === 'string' && Object.hasOwn(FACTS, axis) ? FACTS[axis] : undefined;
  const facts = known === undefined ? {} : { facts: known };
  const always = { axis: TEXT, state: TEXT, weight: NUMBER, explanation: TEXT };
  return state === 'measured'
    ? objectWith({ ...always, score: NUMBER, ...facts })
    : objectWith({ ...always, cause: TEXT, ...facts }, 'cause', 'facts');
};

/** Checks the shown members of each axis. Failure (exit 5) naming those that are missing or of another type. */
export const requireReadings = (route: string, axes: readonly Reading[], pointer: string): void => {
  for (const [index, reading] of axes.entries()) requireUsed(route, readingOf(reading), reading, `${pointer}/${index}`);
};

const SILENCES = objectWith({
  silent_sources: listOf(objectWith({ source: TEXT, last_at: TEXT, limit_hours: NUMBER, basis: TEXT })),
  formula: TEXT,
});

/** Checks what an explained score shows. Failure (exit 5) naming members that are missing or of another type. */
export const requireExplained = (route: string, report: ReadinessReport): void => {
  requireReadings(route, report.axes, '/data/axes');
  requireReadings(route, report.own_axes ?? [], '/data/own_axes');
  requireUsed(route, SILENCES, report, '/data');
};
