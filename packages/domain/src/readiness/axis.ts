/** The five axes, always in this order. */
export const AXES = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;
export type Axis = (typeof AXES)[number];

/** One value per axis. */
export type PerAxis<Value> = { readonly [axis in Axis]: Value };

/** Why an axis yields no score. */
export type UnmeasuredCause =
  | 'no_issues'
  | 'issues_being_imported'
  | 'no_checklist_items'
  | 'no_test_run'
  | 'stale_test_run'
  | 'no_finished_deployment'
  | 'too_few_deployments';
