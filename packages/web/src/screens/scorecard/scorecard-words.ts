import type { HistoryPoint, ReadinessReport, Reason, Release, Waiver } from '@shipworthy/client';
import { spans } from '../../charts/step-chart.js';
import type { IconName } from '../../parts/icon.js';
import { departureOf } from '../../wording/departure.js';
import { isolated } from '../../wording/isolate.js';
import { dateText, longText } from '../../wording/moments.js';
import { type AnyReading, axisTitleOf, DECISION_TITLES, readingsOf } from '../../wording/names.js';
import { countOf, scoreDigits } from '../../wording/numbers.js';

/** What the gate says about an axis: as a colour, an icon and a word. */
export interface AxisGateLabel {
  readonly look: 'go' | 'hold' | 'unknown' | 'waived' | 'aside';
  readonly icon: IconName;
  readonly word: string;
}

/** The label of an axis at the gate, by its first reason that is not waived, else by a waived one. */
export const axisGateLabel = (
  { axis, state, weight }: Pick<AnyReading, 'axis' | 'state' | 'weight'>,
  { gate: { reasons } }: Pick<ReadinessReport, 'gate'>,
): AxisGateLabel => {
  const about = reasons.filter((reason) => reason.axis === axis);
  const reason = about.find(({ waived }) => !waived) ?? about[0];
  if (reason?.waived) return { look: 'waived', icon: 'not_applicable', word: 'waived' };
  if (reason !== undefined && state === 'measured')
    return { look: 'hold', icon: 'hold', word: `below ${String(reason.required)}` };
  if (reason !== undefined) return { look: 'unknown', icon: 'unknown', word: 'required' };
  if (weight === 0) return { look: 'aside', icon: 'not_applicable', word: 'not counted' };
  if (state === 'measured') return { look: 'go', icon: 'go', word: 'passes' };
  return { look: 'aside', icon: 'not_applicable', word: 'not required' };
};

/**
 * Whether an open release looks as if no work was recorded: nothing of its checklist or of a counted own axis is done, no other
 * axis is measured, there is no waiver, and the gate is not `go`.
 */
export const isUntouched = (report: Pick<ReadinessReport, 'release' | 'gate' | 'axes' | 'own_axes'>): boolean =>
  (report.release.state === 'planned' || report.release.state === 'active') &&
  report.gate.decision !== 'go' &&
  report.gate.waivers.length === 0 &&
  readingsOf(report).every((reading) => {
    // A checklist is there from the start, so it is measured before anybody does anything.
    if ('title' in reading)
      return reading.state !== 'measured' || (reading.counted_from !== undefined && reading.facts.part === 0);
    return reading.axis === 'ops' ? (reading.facts?.done ?? 0) === 0 : reading.state !== 'measured';
  });

/** Why the gate decided so, in one or two sentences: they name what blocks the release, or say that nothing does. */
export const gateReasonText = ({
  gate: { decision, reasons, waivers },
  ...report
}: Pick<ReadinessReport, 'gate' | 'axes' | 'own_axes'>): string => {
  const open = reasons.filter(({ waived }) => !waived);
  if (open.some(({ code }) => code === 'no_weights')) return 'Every weight of the policy is 0, so nothing is judged.';
  const parts = [belowText(open), bugsText(open), unmeasuredText(open), scoreText(open)].filter((part) => part !== '');
  // The score comes last: it is low because of what is named before it.
  if (parts.length > 0) return parts.slice(0, 2).join(' ');
  if (decision !== 'go') return 'The gate gives no reason.';
  if (waivers.length > 0) return 'Every requirement is met or waived.';
  return readingsOf(report).every(({ state }) => state === 'measured')
    ? 'Every requirement is met.'
    : 'Every requirement is met. Not every axis is measured.';
};

/** `With a score of 98.4 and the gate at go, 12 days after its start.` */
export const shippedText = (
  { score, gate }: Pick<ReadinessReport, 'score' | 'gate'>,
  { starts_at, shipped_at }: Pick<Release, 'starts_at' | 'shipped_at'>,
): string => {
  const reached = score === null ? 'Without a score' : `With a score of ${scoreDigits(score)}`;
  const seconds = (Date.parse(shipped_at ?? '') - Date.parse(starts_at ?? '')) / 1000;
  const took = seconds >= 0 ? `, ${longText(seconds)} after its start` : '';
  return `${reached} and the gate at ${DECISION_TITLES[gate.decision].toLowerCase()}${took}.`;
};

const titleOf = ({ axis }: Reason): string => (axis === undefined ? 'An axis' : axisTitleOf(axis));

const belowText = (reasons: readonly Reason[]): string => {
  const below = reasons.filter(({ code }) => code === 'axis_below_minimum');
  const [first] = below;
  if (first === undefined) return '';
  if (below.length === 1)
    return `${titleOf(first)} is at ${digits(first.actual)}, below its minimum of ${digits(first.required)}.`;
  return `${below.length} axes are below their minimum: ${below.map((each) => `${titleOf(each)} ${digits(each.actual)}`).join(', ')}.`;
};

const bugsText = (reasons: readonly Reason[]): string => {
  const bugs = reasons.find(({ code }) => code === 'open_critical_bugs');
  return bugs === undefined
    ? ''
    : `${countOf(bugs.actual ?? 0, 'critical bug')} ${bugs.actual === 1 ? 'is' : 'are'} open.`;
};

const unmeasuredText = (reasons: readonly Reason[]): string => {
  const titles = reasons.filter(({ code }) => code === 'axis_unmeasured').map(titleOf);
  if (titles.length === 0) return '';
  return titles.length === 1
    ? `${titles[0]} is not measured.`
    : `${titles.length} axes are not measured: ${titles.join(', ')}.`;
};

const scoreText = (reasons: readonly Reason[]): string => {
  const score = reasons.find(({ code }) => code === 'score_below_threshold');
  return score === undefined
    ? ''
    : `The score is ${digits(score.actual)}, below the threshold of ${digits(score.required)}.`;
};

/** A number of a reason without decimals that are zero, rounded down. */
const digits = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'not known' : scoreDigits(value).replace(/\.0$/, '');

/** Whether a waiver covers a reason now, or why not. */
type WaiverStanding = 'applies' | 'withdrawn' | 'expired' | 'needless';

/** @param applying ids of the waivers in the report @param now its moment, in milliseconds since the epoch */
export const waiverStanding = (waiver: Waiver, applying: ReadonlySet<string>, now: number): WaiverStanding => {
  if (applying.has(waiver.id)) return 'applies';
  if (waiver.withdrawn_at !== null) return 'withdrawn';
  return Date.parse(waiver.expires_at) <= now ? 'expired' : 'needless';
};

export const STANDINGS: Readonly<Record<WaiverStanding, string>> = {
  applies: 'in force',
  withdrawn: 'withdrawn',
  expired: 'expired',
  needless: 'covers nothing now',
};

type Kind = HistoryPoint['causes'][number]['kind'];

const CAUSE_NAMES: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  deployment: ['deployment', 'deployments'],
  test_run: ['test run', 'test runs'],
  axis_report: ['report of an axis', 'reports of axes'],
  issue: ['issue', 'issues'],
  checklist_item: ['checklist item', 'checklist items'],
  waiver: ['waiver', 'waivers'],
  policy: ['change of the policy', 'changes of the policy'],
  release: ['change of the release', 'changes of the release'],
  project: ['change of the project', 'changes of the project'],
  time_limit: ['time limit', 'time limits'],
};

interface CauseText {
  /** null: further causes, of which only the number is known. */
  readonly kind: Kind | null;
  readonly text: string;
}

/** The causes of a point by kind, such as `2 deployments` and `1 test run`. A record that moved it twice counts once. */
export const causeTexts = ({
  causes,
  cause_count,
}: Pick<HistoryPoint, 'causes' | 'cause_count'>): readonly CauseText[] => {
  const records = new Map<Kind, Set<string>>();
  for (const { kind, id } of causes) records.set(kind, (records.get(kind) ?? new Set()).add(id));
  const texts = [...records].map(([kind, ids]) => ({ kind, text: countOf(ids.size, ...CAUSE_NAMES[kind]) }));
  const rest = cause_count - causes.length;
  return [...texts, ...(rest > 0 ? [{ kind: null, text: `${rest} more` }] : [])];
};

/** The causes of a point as text, such as `2 deployments, 1 test run`. */
export const causesText = (point: Pick<HistoryPoint, 'causes' | 'cause_count'>): string =>
  causeTexts(point)
    .map(({ text }) => text)
    .join(', ');

/** How many names are written out; of the others only the number is. */
const MOST_AUTHORS = 3;

type By = NonNullable<HistoryPoint['causes'][number]['by']>;

const GONE = {
  person: { left: 'not in the team now', disabled: 'account disabled' },
  api_key: { left: 'API key, its maker is not in the team now', disabled: 'API key, its maker’s account is disabled' },
} as const;

/**
 * What is said behind the name of who made a change, such as ` (API key)` or ` (not in the team now)`; empty for a member.
 * @param members those of the team; undefined: not known
 */
export const authorNote = ({ kind, user_id }: By, members: Parameters<typeof departureOf>[1]): string => {
  const departure = departureOf(user_id, members);
  const known = kind === 'host' || departure === undefined ? undefined : GONE[kind][departure];
  const said = known ?? (kind === 'api_key' ? 'API key' : '');
  return said === '' ? '' : ` (${said})`;
};

/**
 * Who is behind the causes of a point, such as `by Ann, ci-main (API key)`; empty where time alone moved it.
 * @param members those of the team, so that who is gone is marked; undefined: not known
 */
export const authorsText = (
  { causes }: Pick<HistoryPoint, 'causes'>,
  members?: Parameters<typeof departureOf>[1],
): string => {
  const made = causes.filter(({ kind }) => kind !== 'time_limit');
  const names = new Set(
    made.flatMap(({ by }) => (by === undefined ? [] : isolated(by.name) + authorNote(by, members))),
  );
  const isPartlyUnknown = made.some(({ by }) => by === undefined);
  const all = [...names, ...(isPartlyUnknown ? ['unknown'] : [])];
  const rest = all.length - MOST_AUTHORS;
  if (all.length === 0) return '';
  return `by ${all.slice(0, MOST_AUTHORS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const pointText = ({ score }: Pick<HistoryPoint, 'score'>): string =>
  score === null ? 'no score' : scoreDigits(score);

/** `4 of 5`: how many axes of a point are measured. */
export const measuredText = ({ axes, own_axes = [] }: Pick<HistoryPoint, 'axes' | 'own_axes'>): string => {
  const scores = [...axes, ...own_axes].map(({ score }) => score);
  return `${scores.filter((score) => score !== null).length} of ${scores.length}`;
};

/** The trend in a sentence. Points are in order of time, one at least. */
export const trendText = (points: readonly HistoryPoint[]): string => {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return 'Nothing recorded yet.';
  const changes = spans(
    points.map(({ at, decision }) => ({ at: Date.parse(at), value: decision })),
    Date.parse(last.at),
  );
  const decision = DECISION_TITLES[last.decision];
  const gate =
    changes.length === 1 ? `${decision} throughout` : `${countOf(changes.length - 1, 'gate change')}, now ${decision}`;
  return `From ${pointText(first)} on ${dateText(first.at)} to ${pointText(last)}. ${gate}.`;
};
