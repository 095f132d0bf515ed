import type { OwnAxisRequest, Policy, PolicyRequest } from '@shipworthy/client';
import type { Axis, CountedFrom } from '@shipworthy/domain/readiness';
import { isolated } from '../../../wording/isolate.js';
import { AXES_IN_ORDER, AXIS_TITLES, axisTitleOf, COUNTED } from '../../../wording/names.js';
import { countOf, countText } from '../../../wording/numbers.js';

type ByAxis<Value> = Readonly<Record<Axis, Value>>;

/** A policy in a form: numbers as they were typed, an empty one where there is no limit. */
export interface PolicyDraft {
  readonly weights: ByAxis<string>;
  readonly minimums: ByAxis<string>;
  readonly required: readonly Axis[];
  readonly threshold: string;
  readonly which: 'all' | 'named';
  readonly environments: readonly string[];
  readonly freshness: string;
  readonly verification: Policy['verification'];
  readonly bugs: string;
  readonly finished: string;
  readonly bound: Policy['stability_bound'];
  readonly silence: string;
  readonly own: readonly OwnAxisDraft[];
}

/** The properties of a form's fields. */
export interface FieldsGiven {
  readonly draft: PolicyDraft;
  readonly wrong: Readonly<Record<string, string>>;
  readonly change: (members: Partial<PolicyDraft>) => void;
}

const byAxis = <Value>(value: (axis: Axis) => Value): ByAxis<Value> =>
  Object.fromEntries(AXES_IN_ORDER.map((axis) => [axis, value(axis)])) as ByAxis<Value>;

const typed = (value: number | null): string => (value === null ? '' : String(value));

export const policyDraftOf = (policy: Policy): PolicyDraft => ({
  weights: byAxis((axis) => typed(policy.weights[axis])),
  minimums: byAxis((axis) => typed(policy.minimums[axis])),
  required: policy.required_axes,
  threshold: typed(policy.threshold),
  which: policy.environments === null ? 'all' : 'named',
  environments: policy.environments ?? [],
  freshness: typed(policy.freshness_hours),
  verification: policy.verification,
  bugs: typed(policy.max_open_critical_bugs),
  finished: typed(policy.min_finished_deployments),
  bound: policy.stability_bound,
  silence: typed(policy.silence_hours),
  own: (policy.own_axes ?? []).map(ownAxisDraftOf),
});

interface Range {
  readonly from: number;
  readonly to: number;
  /** Decimals at most. */
  readonly decimals: number;
}

const WEIGHT: Range = { from: 0, to: 1000, decimals: 0 };
const SCORE: Range = { from: 0, to: 100, decimals: 2 };
const HOURS: Range = { from: 0.01, to: 87_600, decimals: 2 };
const MOST = 2_147_483_647;

/** The policy read from a draft, and the faults of the draft by their JSON pointers in the policy. */
interface ReadDraft {
  readonly policy: PolicyRequest;
  readonly wrong: Readonly<Record<string, string>>;
}

export const readDraft = (draft: PolicyDraft): ReadDraft => {
  const wrong: Record<string, string> = {};
  const number = (pointer: string, text: string, { from, to, decimals }: Range): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= from && value <= to && Number(value.toFixed(decimals)) === value;
    if (!fits) {
      const bounds = to === MOST && !(value > to) ? `${from} or more` : `${from} to ${countText(to)}`;
      wrong[pointer] = decimals === 0 ? `Enter a whole number, ${bounds}.` : `Enter ${bounds}.`;
    }
    return value;
  };
  const limit = (pointer: string, text: string, range: Range): number | null =>
    text.trim() === '' ? null : number(pointer, text, range);
  const named = draft.which === 'named';
  if (named && draft.environments.length === 0) wrong['/environments'] = 'Choose one at least, or let all count.';
  const policy: PolicyRequest = {
    weights: byAxis((axis) => number(`/weights/${axis}`, draft.weights[axis], WEIGHT)),
    threshold: number('/threshold', draft.threshold, SCORE),
    minimums: byAxis((axis) => number(`/minimums/${axis}`, draft.minimums[axis], SCORE)),
    required_axes: draft.required,
    environments: named ? draft.environments : null,
    freshness_hours: limit('/freshness_hours', draft.freshness, HOURS),
    verification: draft.verification,
    max_open_critical_bugs: limit('/max_open_critical_bugs', draft.bugs, { from: 0, to: MOST, decimals: 0 }),
    min_finished_deployments: number('/min_finished_deployments', draft.finished, { from: 1, to: MOST, decimals: 0 }),
    stability_bound: draft.bound,
    silence_hours: limit('/silence_hours', draft.silence, HOURS),
    own_axes: readAxisDrafts(draft.own, {
      wrong,
      weight: (pointer, text) => number(pointer, text, WEIGHT),
      score: (pointer, text) => number(pointer, text, SCORE),
      hours: (pointer, text) => limit(pointer, text, HOURS),
    }),
  };
  const [first] = AXES_IN_ORDER;
  if (
    first !== undefined &&
    AXES_IN_ORDER.every((axis) => policy.weights[axis] === 0) &&
    (policy.own_axes ?? []).every(({ weight = 0 }) => weight === 0) &&
    wrong[`/weights/${first}`] === undefined
  )
    wrong[`/weights/${first}`] = 'Give at least one axis a weight above 0.';
  return { policy, wrong };
};

type Words = readonly (readonly [title: string, text: string])[];

type Choices<Value> = readonly (readonly [value: Value, text: string])[];

export const VERIFICATION_CHOICES: Choices<PolicyRequest['verification']> = [
  ['latest_run', 'The latest run'],
  ['latest_per_suite', 'The latest run of each suite, added up'],
];

export const BOUND_CHOICES: Choices<NonNullable<PolicyRequest['stability_bound']>> = [
  ['rate', 'The failure rate as counted'],
  ['upper_bound', 'The failure rate at its likely worst'],
];

const textOf = <Value>(choices: Choices<Value>, value: Value): string =>
  choices.find(([each]) => each === value)?.[1] ?? '';

const hours = (count: number | null | undefined, none: string): string =>
  count === null || count === undefined ? none : countOf(count, 'hour');

/** Everything a policy demands, in words. */
const policyWords = (policy: PolicyRequest): Words => [
  ['Minimum score', String(policy.threshold)],
  ...AXES_IN_ORDER.map((axis) => [`${AXIS_TITLES[axis]}, minimum`, String(policy.minimums[axis])] as const),
  ...AXES_IN_ORDER.map((axis) => [`${AXIS_TITLES[axis]}, weight`, String(policy.weights[axis])] as const),
  [
    'Must be measured',
    AXES_IN_ORDER.filter((axis) => policy.required_axes.includes(axis))
      .map((axis) => AXIS_TITLES[axis])
      .join(', ') || 'none',
  ],
  ['Environments that count', policy.environments?.map(isolated).join(', ') ?? 'all'],
  ['Test run', textOf(VERIFICATION_CHOICES, policy.verification)],
  ['Test run not older than', hours(policy.freshness_hours, 'any age')],
  [
    'Open critical bugs at most',
    policy.max_open_critical_bugs === null ? 'any number' : String(policy.max_open_critical_bugs),
  ],
  ['Minimum finished deployments', String(policy.min_finished_deployments)],
  ['Failure rate', textOf(BOUND_CHOICES, policy.stability_bound ?? 'rate')],
  ['A source is silent after', hours(policy.silence_hours, 'what is unusual for it')],
  ...ownAxisWords(policy.own_axes ?? []),
];

interface PolicyDifference {
  readonly title: string;
  readonly first: string;
  readonly second: string;
}

/** The differences between two policies. */
export const differencesOf = (first: PolicyRequest, second: PolicyRequest): readonly PolicyDifference[] => {
  const [one, other] = [new Map(policyWords(first)), new Map(policyWords(second))];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((title) => ({ title, first: one.get(title) ?? 'none', second: other.get(title) ?? 'none' }))
    .filter((each) => each.first !== each.second);
};

type OwnAxis = NonNullable<Policy['own_axes']>[number];

/** An own axis in a form: numbers as they were typed. */
export interface OwnAxisDraft {
  readonly name: string;
  /** Empty: its name, written as a title. */
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly weight: string;
  readonly minimum: string;
  readonly required: boolean;
  /** Empty: a report of any age counts. */
  readonly fresh: string;
  /** Empty: it is reported. */
  readonly counted: CountedFrom | '';
}

/** What a new axis begins with: it is shown, and decides nothing yet. */
export const NEW_AXIS: OwnAxisDraft = {
  ...{ name: '', title: '', one: '', many: '', weight: '0', minimum: '0', required: false, fresh: '' },
  counted: '',
};

/** Where the numbers of an own axis come from. */
export const COUNTED_CHOICES: Choices<CountedFrom | ''> = [
  ['', 'Reports from a pipeline'],
  ...Object.entries(COUNTED).map(([from, { choice }]) => [from as CountedFrom, choice] as const),
];

/** How many own axes a policy may have. */
export const MOST_AXES = 20;

const ownAxisDraftOf = ({ name, title, unit, counted_from: counted, ...axis }: OwnAxis): OwnAxisDraft => ({
  name,
  title: title === axisTitleOf(name) ? '' : title,
  one: unit.one === 'part' && unit.many === 'parts' ? '' : unit.one,
  many: unit.one === 'part' && unit.many === 'parts' ? '' : unit.many,
  counted: counted ?? '',
  weight: String(axis.weight),
  minimum: String(axis.minimum),
  required: axis.required,
  fresh: axis.fresh_for_hours === null ? '' : String(axis.fresh_for_hours),
});

/** Functions that read the numbers of an axis and note their faults in `wrong`, by JSON pointer. */
interface ReadNumbers {
  readonly wrong: Record<string, string>;
  readonly weight: (pointer: string, text: string) => number;
  readonly score: (pointer: string, text: string) => number;
  readonly hours: (pointer: string, text: string) => number | null;
}

const NAME = /^[a-z][a-z0-9_]{1,39}$/;

const readAxis = (draft: OwnAxisDraft, at: number, { wrong, weight, score, hours }: ReadNumbers): OwnAxisRequest => {
  const pointer = `/own_axes/${at}`;
  const { name, title, one, many, required, counted } = draft;
  if (!NAME.test(name))
    wrong[`${pointer}/name`] = 'Enter 2 to 40 small letters, digits and underscores, a letter first.';
  if ((one.trim() === '') !== (many.trim() === '')) wrong[`${pointer}/unit`] = 'Enter both, or neither.';
  const weighs = weight(`${pointer}/weight`, draft.weight);
  const minimum = score(`${pointer}/minimum`, draft.minimum);
  if (weighs === 0 && minimum > 0) wrong[`${pointer}/minimum`] = 'An axis of weight 0 has no minimum.';
  if (weighs === 0 && required) wrong[`${pointer}/required`] = 'An axis of weight 0 cannot be required.';
  return {
    name,
    ...(title.trim() === '' ? {} : { title }),
    ...(one.trim() === '' ? {} : { unit: { one, many } }),
    ...{
      weight: weighs,
      minimum,
      required,
      fresh_for_hours: hours(`${pointer}/fresh_for_hours`, counted === '' ? draft.fresh : ''),
    },
    counted_from: counted === '' ? null : counted,
  };
};

/** Reads the own axes of the drafts; notes their faults, such as a name used twice, by JSON pointer. */
const readAxisDrafts = (drafts: readonly OwnAxisDraft[], numbers: ReadNumbers): readonly OwnAxisRequest[] => {
  const names = drafts.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (names.indexOf(name) !== at) numbers.wrong[`/own_axes/${at}/name`] = 'Another axis has this name.';
  return drafts.map((draft, at) => readAxis(draft, at, numbers));
};

/** What is demanded of each own axis, in words. */
const ownAxisWords = (axes: readonly OwnAxisRequest[]): readonly (readonly [title: string, text: string])[] =>
  axes.map(({ name, title, unit, weight = 0, minimum = 0, required = false, ...axis }) => {
    const { fresh_for_hours: fresh = null, counted_from: counted = null } = axis;
    const called = title === undefined || title === axisTitleOf(name) ? '' : `called ${isolated(title)}, `;
    const counts =
      counted !== null
        ? `counted from ${COUNTED[counted].choice.toLowerCase()}, `
        : unit === undefined || unit.many === 'parts'
          ? ''
          : `in ${isolated(unit.many)}, `;
    const asked = required ? ', must be measured' : '';
    const age = fresh === null ? '' : `, not older than ${fresh} hours`;
    return [`Own axis ${name}`, `${called}${counts}weight ${weight}, minimum ${minimum}${asked}${age}`] as const;
  });
