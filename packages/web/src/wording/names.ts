import type {
  AxisReading,
  AxisRow,
  Deployment,
  Gate,
  Issue,
  OwnAxisReading,
  ReadinessReport,
  Reason,
  Release,
  TestRun,
} from '@shipworthy/client';
import type { Axis, CountedFrom, GateDecision } from '@shipworthy/domain/readiness';
import { countOf } from './numbers.js';

type UncountedReason = NonNullable<AxisRow['reason']>;

export const AXIS_TITLES: Readonly<Record<Axis, string>> = {
  scope: 'Scope',
  quality: 'Quality',
  ops: 'Ops',
  verification: 'Verification',
  stability: 'Stability',
};

/** The axes, in axis order. */
export const AXES_IN_ORDER = Object.keys(AXIS_TITLES) as readonly Axis[];

/** The title of an axis; that of an own axis is made from its name. The engine's function would load the engine. */
export const axisTitleOf = (name: string): string => {
  const axis = AXES_IN_ORDER.find((each) => each === name);
  return axis === undefined ? (name[0] ?? '').toUpperCase() + name.slice(1).replaceAll('_', ' ') : AXIS_TITLES[axis];
};

/** The reading of any axis. */
export type AnyReading = AxisReading | OwnAxisReading;

/** An own axis that the service counts: its text as a choice, how it is counted, the axis whose records it lists. */
interface CountedAxis {
  readonly choice: string;
  readonly rule: string;
  readonly recordsOf: Axis;
}

export const COUNTED: Readonly<Record<CountedFrom, CountedAxis>> = {
  checklist_evidence: {
    choice: 'Checklist items with evidence',
    rule: 'Checklist items that have evidence, of all that apply.',
    recordsOf: 'ops',
  },
};

/** What is said of an axis that the service counts; undefined: it is one of the five, or reported. */
export const countedAxis = (reading: AnyReading): CountedAxis | undefined =>
  'title' in reading && reading.counted_from !== undefined ? COUNTED[reading.counted_from] : undefined;

/** The readings of the five, then of the project's own axes. */
export const readingsOf = ({
  axes,
  own_axes = [],
}: Pick<ReadinessReport, 'axes' | 'own_axes'>): readonly AnyReading[] => [...axes, ...own_axes];

/** The title of the axis of a reading; that of an own axis is from the policy. */
export const readingTitle = (reading: AnyReading): string =>
  'title' in reading ? reading.title : AXIS_TITLES[reading.axis];

export const DECISION_TITLES: Readonly<Record<GateDecision, string>> = { go: 'Go', hold: 'Hold', unknown: 'Unknown' };

/** `Go with 1 waiver. Without it: Hold.`; a decision that only a waiver makes is never shown as if all were met. */
export const waivedText = (decision: GateDecision, without: GateDecision, waivers: number): string =>
  `${DECISION_TITLES[decision]} with ${countOf(waivers, 'waiver')}. Without ${waivers === 1 ? 'it' : 'them'}: ${DECISION_TITLES[without]}.`;

/** The text of `waivedText` for a gate; undefined where no waiver is in force. */
export const waiversText = ({
  decision,
  decision_without_waivers: without,
  waivers,
}: Pick<Gate, 'decision' | 'decision_without_waivers' | 'waivers'>): string | undefined =>
  waivers.length === 0 ? undefined : waivedText(decision, without, waivers.length);

/** What a reason of the gate is about, without its numbers. */
export const reasonTitle = (code: Reason['code'], axis?: string): string => {
  if (code === 'no_weights') return 'Every weight is 0';
  if (code === 'score_below_threshold') return 'Score below the threshold';
  if (code === 'open_critical_bugs') return 'Open critical bugs';
  const title = axis === undefined ? 'An axis' : axisTitleOf(axis);
  return code === 'axis_unmeasured' ? `${title} not measured` : `${title} below its minimum`;
};

/** Why a record is listed and does not count. */
export const NOT_COUNTED: Readonly<Record<UncountedReason, string>> = {
  environment_not_counted: 'its environment is not in the policy',
  still_in_progress: 'still in progress',
  rollback_pending_outcome: 'a rollback counts neither for nor against a release',
  release_frozen: 'its release had shipped',
  set_aside: 'an owner set it aside',
  other_suite_set_aside: 'the latest run of another suite is set aside',
  superseded_by_newer_run: 'a newer run counts',
  stale_test_run: 'too old for the policy',
  superseded_by_newer_report: 'a newer report counts',
  stale_report: 'too old for the policy',
  not_in_policy: 'the policy no longer has this axis',
  counted_axis: 'the axis is counted now, not reported',
  canceled: 'canceled',
  not_applicable: 'does not apply',
  awaiting_confirmation: "awaiting an owner's confirmation",
};

export const RELEASE_STATE_TITLES: Readonly<Record<Release['state'], string>> = {
  planned: 'Planned',
  active: 'Active',
  shipped: 'Shipped',
  canceled: 'Canceled',
};

/** Releases to choose from, by name. The chosen one is always among them, as “–” where its name is not known. */
export const releaseChoices = (
  releases: readonly Pick<Release, 'id' | 'name'>[],
  chosenId: string,
): readonly (readonly [id: string, name: string])[] => [
  ...releases.map(({ id, name }) => [id, name] as const),
  ...(chosenId === '' || releases.some(({ id }) => id === chosenId) ? [] : [[chosenId, '–'] as const]),
];

export const ISSUE_STATE_TITLES: Readonly<Record<Issue['state'], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  canceled: 'Canceled',
};

/** What a deployment or test run counts for. */
export type RecordAttribution = Deployment['attribution'] | TestRun['attribution'];

/** One release a record falls in, and why it does not count there; null: it counts. */
interface ReleaseOfRecord {
  readonly release: { readonly id: string; readonly name: string };
  readonly why: string | null;
}

export const releasesOfRecord = ({ releases }: RecordAttribution): readonly ReleaseOfRecord[] =>
  releases.map(({ id, name, counts, reason }) => ({
    release: { id, name },
    why: counts ? null : reason === undefined ? 'it does not count' : NOT_COUNTED[reason],
  }));

/** Why a record falls in no release at all. */
export const noReleaseText = ({ axis }: RecordAttribution): string =>
  axis === 'stability' ? 'no release was open when it started' : 'its release was removed';
