/** The five axes, always in this order. */
export const AXES = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;
export type Axis = (typeof AXES)[number];

/** One value per axis. */
export type PerAxis<Value> = { readonly [axis in Axis]: Value };

/** One value per axis, in axis order. */
export type InAxisOrder<Value> = InOrderOf<typeof AXES, Value>;
type InOrderOf<Names extends readonly Axis[], Value> = { readonly [place in keyof Names]: Value };

/** The values in axis order, for loops over all axes: reading by names in turn takes several times as long. */
export const inAxisOrder = <Value>(values: PerAxis<Value>): InAxisOrder<Value> => [
  values.scope,
  values.quality,
  values.ops,
  values.verification,
  values.stability,
];

/** One value for each axis. */
export const perAxis = <Value>(ofAxis: (axis: Axis) => Value): PerAxis<Value> => ({
  scope: ofAxis('scope'),
  quality: ofAxis('quality'),
  ops: ofAxis('ops'),
  verification: ofAxis('verification'),
  stability: ofAxis('stability'),
});

/** Why an axis yields no score. */
export type UnmeasuredCause =
  | 'no_issues'
  | 'issues_being_imported'
  | 'no_checklist_items'
  | 'no_test_run'
  | 'stale_test_run'
  | 'no_finished_deployment'
  | 'too_few_deployments';
