import type { PolicyRequest } from '@shipworthy/client';
import { AXES, AXIS_TITLES } from '../../../wording/names.js';
import { countOf } from '../../../wording/numbers.js';

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
const wordsOf = (policy: PolicyRequest): Words => [
  ['Score at least', String(policy.threshold)],
  ...AXES.map((axis) => [`${AXIS_TITLES[axis]}, at least`, String(policy.minimums[axis])] as const),
  ...AXES.map((axis) => [`${AXIS_TITLES[axis]}, weight`, String(policy.weights[axis])] as const),
  [
    'Must be measured',
    AXES.filter((axis) => policy.required_axes.includes(axis))
      .map((axis) => AXIS_TITLES[axis])
      .join(', ') || 'none',
  ],
  ['Environments that count', policy.environments?.join(', ') ?? 'all'],
  ['Test run', textOf(VERIFICATION_CHOICES, policy.verification)],
  ['Test run not older than', hours(policy.freshness_hours, 'any age')],
  [
    'Open critical bugs at most',
    policy.max_open_critical_bugs === null ? 'any number' : String(policy.max_open_critical_bugs),
  ],
  ['Finished deployments at least', String(policy.min_finished_deployments)],
  ['Failure rate', textOf(BOUND_CHOICES, policy.stability_bound ?? 'rate')],
  ['A source is silent after', hours(policy.silence_hours, 'what is unusual for it')],
];

export interface Difference {
  readonly title: string;
  readonly first: string;
  readonly second: string;
}

/** What two policies demand differently. */
export const differencesOf = (first: PolicyRequest, second: PolicyRequest): readonly Difference[] => {
  const others = new Map(wordsOf(second));
  return wordsOf(first)
    .map(([title, text]) => ({ title, first: text, second: others.get(title) ?? '' }))
    .filter((each) => each.first !== each.second);
};
