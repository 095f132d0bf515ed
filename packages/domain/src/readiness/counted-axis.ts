import type { ReleaseFacts } from './facts.js';

/** The words for an own axis, counted or reported. */
interface AxisWords {
  readonly unit: Unit;
  /** Follows the unit: " with evidence" in "9 of 12 checklist items with evidence"; may be empty. */
  readonly afterUnit: string;
  /** The verb of the step that raises the axis: "link evidence to" in "link evidence to 2 more checklist items". */
  readonly improve: string;
  /** The step while there is nothing to count; the axis is at 100 after it. */
  readonly provide: string;
}

interface Unit {
  readonly one: string;
  readonly many: string;
}

/** The unit of an axis that names none. */
export const PARTS: Unit = Object.freeze({ one: 'part', many: 'parts' });

const REPORTED_WORDS: AxisWords = { unit: PARTS, afterUnit: '', improve: 'improve', provide: '' };

const COUNTED_WORDS = {
  /** Items of the launch checklist that have evidence, of all that apply. */
  checklist_evidence: {
    unit: Object.freeze({ one: 'checklist item', many: 'checklist items' }),
    afterUnit: ' with evidence',
    improve: 'link evidence to',
    provide: 'add 1 checklist item, ticked and with evidence',
  },
} as const satisfies Readonly<Record<string, AxisWords>>;

/** Names what the service can count for an own axis. */
export type CountedFrom = keyof typeof COUNTED_WORDS;

/** Every name of `CountedFrom`. */
export const COUNTED_FROM = Object.freeze(Object.keys(COUNTED_WORDS)) as readonly CountedFrom[];

/** The words for an axis that is counted from these records; missing or null: for a reported axis. */
export const axisWords = (countedFrom: CountedFrom | null = null): AxisWords =>
  countedFrom === null ? REPORTED_WORDS : COUNTED_WORDS[countedFrom];

/** What own axes can be counted from: facts of the five axes, and numbers that none of them shows. */
export interface ReleaseCounts extends Pick<ReleaseFacts, 'quality' | 'ops'> {
  /** Checklist items that apply and have evidence. */
  readonly itemsWithEvidence: number;
}

/** `part` of `whole` records meet what is asked; 0 of 0: there are no records. */
interface Count {
  readonly part: number;
  readonly whole: number;
}

const COUNTS: { readonly [from in CountedFrom]: (counts: ReleaseCounts) => Count } = {
  checklist_evidence: ({ ops, itemsWithEvidence }) => ({ part: itemsWithEvidence, whole: ops.total }),
};

/** The count for an own axis; 0 of 0 for records that only a later version of the engine can count. */
export const countFor = (countedFrom: CountedFrom, counts: ReleaseCounts): Count =>
  Object.hasOwn(COUNTS, countedFrom) ? COUNTS[countedFrom](counts) : { part: 0, whole: 0 };

/** Whether a unit is a default one, of reported or of counted axes. */
export const isDefaultUnit = ({ one, many }: Unit): boolean =>
  [REPORTED_WORDS, ...Object.values<AxisWords>(COUNTED_WORDS)].some(
    ({ unit }) => unit.one === one && unit.many === many,
  );
