import type { Policy, PolicyRequest } from '@shipworthy/client';
import { AXES, type AxisName } from '../../../wording/names.js';

type ByAxis<Value> = Readonly<Record<AxisName, Value>>;

/** A policy as it stands in a form: numbers as they were typed, an empty one where there is no limit. */
export interface PolicyDraft {
  readonly weights: ByAxis<string>;
  readonly minimums: ByAxis<string>;
  readonly required: readonly AxisName[];
  readonly threshold: string;
  readonly which: 'all' | 'named';
  readonly environments: readonly string[];
  readonly freshness: string;
  readonly verification: Policy['verification'];
  readonly bugs: string;
  readonly finished: string;
  readonly bound: Policy['stability_bound'];
  readonly silence: string;
}

/** What the fields of a form are given. */
export interface FieldsGiven {
  readonly draft: PolicyDraft;
  readonly wrong: Readonly<Record<string, string>>;
  readonly change: (members: Partial<PolicyDraft>) => void;
}

const byAxis = <Value>(value: (axis: AxisName) => Value): ByAxis<Value> =>
  Object.fromEntries(AXES.map((axis) => [axis, value(axis)])) as ByAxis<Value>;

const typed = (value: number | null): string => (value === null ? '' : String(value));

export const draftOf = (policy: Policy): PolicyDraft => ({
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

/** What a draft says, or what is wrong with it, by the pointer of the field in a policy. */
export interface ReadDraft {
  readonly policy: PolicyRequest;
  readonly wrong: Readonly<Record<string, string>>;
}

export const readDraft = (draft: PolicyDraft): ReadDraft => {
  const wrong: Record<string, string> = {};
  const number = (pointer: string, text: string, { from, to, decimals }: Range): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= from && value <= to && Number(value.toFixed(decimals)) === value;
    if (!fits) wrong[pointer] = decimals === 0 ? `Enter a whole number, ${from} or more.` : `Enter ${from} to ${to}.`;
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
  };
  const [first] = AXES;
  if (
    first !== undefined &&
    AXES.every((axis) => policy.weights[axis] === 0) &&
    wrong[`/weights/${first}`] === undefined
  )
    wrong[`/weights/${first}`] = 'Give at least one axis a weight above 0.';
  return { policy, wrong };
};
