/** The words for what an own axis counts. */
interface CountedWords {
  readonly unit: Unit;
  /** Follows the unit in "9 of 12 checklist items": what the 9 have; empty where the unit says it. */
  readonly right: string;
  /** Begins the step that raises the axis: "link evidence to" 2 more checklist items. */
  readonly improve: string;
  /** The step that measures it fully while there is nothing to count. */
  readonly provide: string;
}

interface Unit {
  readonly one: string;
  readonly many: string;
}

/** The unit of an axis that names none. */
export const PARTS: Unit = Object.freeze({ one: 'part', many: 'parts' });

const REPORTED: CountedWords = { unit: PARTS, right: '', improve: 'improve', provide: '' };

const WORDS = {
  /** Items of the launch checklist that have evidence, of all that apply. */
  checklist_evidence: {
    unit: Object.freeze({ one: 'checklist item', many: 'checklist items' }),
    right: ' with evidence',
    improve: 'link evidence to',
    provide: 'add 1 checklist item, ticked and with evidence',
  },
} as const satisfies Readonly<Record<string, CountedWords>>;

/** The records that the service can count for an own axis. */
export type CountedFrom = keyof typeof WORDS;

/** All of them. */
export const COUNTED_FROM = Object.freeze(Object.keys(WORDS)) as readonly CountedFrom[];

/** The words for an axis that is counted from these records; missing or null: for one that is reported. */
export const countedWords = (countedFrom: CountedFrom | null = null): CountedWords =>
  countedFrom === null ? REPORTED : WORDS[countedFrom];

/** Whether a unit is what an axis counts that names none, reported or counted. */
export const isUsualUnit = ({ one, many }: Unit): boolean =>
  [REPORTED, ...Object.values<CountedWords>(WORDS)].some(({ unit }) => unit.one === one && unit.many === many);
