import type { Fault } from '../errors.js';
import { AXES } from './axis.js';
import type { Policy } from './policy.js';
import { MAX_COUNT } from './share.js';

const MAX_WEIGHT = 1000;
/** Ten years of 365 days. */
const MAX_HOURS = 87_600;
const MAX_ENVIRONMENTS = 100;
const MAX_ENVIRONMENT_LENGTH = 200;

/** Code points, as JSON Schema counts the length of a string. */
const lengthOf = (text: string): number => [...text].length;

/** Collects every fault, each at its place in the policy's wire form. */
class Faults {
  readonly all: Fault[] = [];

  add(pointer: string, code: string, message: string): void {
    this.all.push({ pointer, code, message });
  }

  wholeNumber(pointer: string, name: string, value: number, least: number, most: number): void {
    if (!Number.isInteger(value)) this.add(pointer, 'not_whole', `${name} must be a whole number`);
    else if (value < least || value > most) this.add(pointer, 'out_of_range', `${name} must be ${least} to ${most}`);
  }

  percentage(pointer: string, name: string, value: number): void {
    if (!(value >= 0 && value <= 100)) this.add(pointer, 'out_of_range', `${name} must be 0 to 100`);
    else if (Math.round(value * 100) / 100 !== value)
      this.add(pointer, 'too_many_decimals', `${name} must have at most two decimals`);
  }

  hours(pointer: string, name: string, value: number | null): void {
    if (value === null || (value > 0 && value <= MAX_HOURS)) return;
    this.add(pointer, 'out_of_range', `${name} must be above 0 and at most ${MAX_HOURS} hours`);
  }

  environments(names: readonly string[]): void {
    const pointer = '/environments';
    if (names.length === 0) this.add(pointer, 'empty', 'The environments must name at least one, or be null for all');
    if (names.length > MAX_ENVIRONMENTS)
      this.add(pointer, 'too_many', `The environments must be ${MAX_ENVIRONMENTS} at most`);
    names.forEach((name, index) => {
      const length = lengthOf(name);
      if (length === 0 || length > MAX_ENVIRONMENT_LENGTH)
        this.add(`${pointer}/${index}`, 'length', `An environment must be 1 to ${MAX_ENVIRONMENT_LENGTH} characters`);
    });
    this.repeated(pointer, 'environment', names);
  }

  repeated(pointer: string, noun: string, values: readonly string[]): void {
    const seen = new Set<string>();
    values.forEach((value, index) => {
      if (seen.has(value)) this.add(`${pointer}/${index}`, 'duplicate', `The ${noun} ${value} is named twice`);
      seen.add(value);
    });
  }
}

/**
 * Every fault of a policy, none for a valid one. Pointers are into its wire form (`/weights/scope`,
 * `/min_finished_deployments`). Codes: `not_whole`, `out_of_range`, `too_many_decimals`, `empty`, `too_many`, `length`,
 * `duplicate`, `unknown_axis`, `unknown_value`. A count is at most 2^31 - 1, as every count is.
 */
export const policyFaults = (policy: Policy): readonly Fault[] => {
  const { weights, minimums, requiredAxes, environments, maxOpenCriticalBugs } = policy;
  const faults = new Faults();
  for (const axis of AXES)
    faults.wholeNumber(`/weights/${axis}`, `The weight of ${axis}`, weights[axis], 0, MAX_WEIGHT);
  faults.percentage('/threshold', 'The threshold', policy.threshold);
  for (const axis of AXES) faults.percentage(`/minimums/${axis}`, `The minimum of ${axis}`, minimums[axis]);
  requiredAxes.forEach((axis, index) => {
    if (!AXES.includes(axis)) faults.add(`/required_axes/${index}`, 'unknown_axis', `There is no axis ${axis}`);
  });
  faults.repeated('/required_axes', 'axis', requiredAxes);
  if (environments !== null) faults.environments(environments);
  faults.hours('/freshness_hours', 'The freshness', policy.freshnessHours);
  if (policy.verification !== 'latest_run' && policy.verification !== 'latest_per_suite')
    faults.add('/verification', 'unknown_value', 'The verification must be latest_run or latest_per_suite');
  if (maxOpenCriticalBugs !== null)
    faults.wholeNumber('/max_open_critical_bugs', 'The limit of critical bugs', maxOpenCriticalBugs, 0, MAX_COUNT);
  const sample = policy.minFinishedDeployments;
  faults.wholeNumber('/min_finished_deployments', 'The least number of deployments', sample, 1, MAX_COUNT);
  const bound = policy.stabilityBound ?? 'rate';
  if (bound !== 'rate' && bound !== 'upper_bound')
    faults.add('/stability_bound', 'unknown_value', 'The bound of stability must be rate or upper_bound');
  faults.hours('/silence_hours', 'The limit of silence', policy.silenceHours ?? null);
  return faults.all;
};
