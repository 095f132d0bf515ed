/** The five axes, always in this order. */
export const AXES = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;
export type Axis = (typeof AXES)[number];

/** One of the five axes, or the name of an own axis. */
export type AxisName = Axis | (string & {});

/** One value for each of the five axes. */
export type PerAxis<Value> = { readonly [axis in Axis]: Value };

/** One value per axis, in axis order: the five, then own axes by name. */
export type InAxisOrder<Value> = readonly [...InOrderOf<typeof AXES, Value>, ...Value[]];
type InOrderOf<Names extends readonly Axis[], Value> = { readonly [place in keyof Names]: Value };

/** The values of the five in axis order, for loops over all axes: reading by names in turn takes several times as long. */
export const inAxisOrder = <Value>(values: PerAxis<Value>): [...InAxisOrder<Value>] => [
  values.scope,
  values.quality,
  values.ops,
  values.verification,
  values.stability,
];

/** The place of each axis in axis order, from 0. */
export const AXIS_PLACE = Object.freeze({
  scope: 0,
  quality: 1,
  ops: 2,
  verification: 3,
  stability: 4,
} as const satisfies PerAxis<number>);

/** One value for each of `count` places in axis order, which are those of the five at least. */
export const inEachPlace = <Value>(count: number, at: (place: number) => Value): InAxisOrder<Value> => {
  const all: [...InAxisOrder<Value>] = [at(0), at(1), at(2), at(3), at(4)];
  for (let place = AXES.length; place < count; place += 1) all.push(at(place));
  return all;
};

/** Why an axis yields no score. */
export type UnmeasuredCause =
  | 'no_issues'
  | 'issues_being_imported'
  | 'no_checklist_items'
  | 'no_test_run'
  | 'stale_test_run'
  | 'test_run_set_aside'
  | 'no_finished_deployment'
  | 'too_few_deployments'
  | 'no_report'
  | 'stale_report'
  | 'not_measurable'
  | 'nothing_to_count';
