import type { Fault } from '../errors.js';
import type { Page, PageRequest } from '../page.js';
import { AXES, type Axis, type AxisName, type InAxisOrder, inAxisOrder, type PerAxis } from './axis.js';
import {
  areHours,
  hoursFaults,
  isPercentage,
  isWeight,
  MAX_WEIGHT,
  percentageFaults,
  wholeNumberFaults,
} from './demands.js';
import type { ReleaseFacts } from './facts.js';
import { entriesOf, type FaultList, faultsFound, isCount, type Members, memberCount } from './faults.js';
import { MAX_COUNT } from './numbers.js';
import { areFixed, type OwnAxis, ownAxesFaults, plainOwnAxes } from './own-axis.js';

/** What a project demands of a release. */
export interface Policy {
  /** Whole numbers 0-1000. An axis of weight 0 is shown, but enters neither score, coverage, minimums nor what is required. */
  readonly weights: PerAxis<number>;
  /** Minimum readiness score, 0-100, at most two decimals. */
  readonly threshold: number;
  /** Minimum score per axis, 0-100, at most two decimals. */
  readonly minimums: PerAxis<number>;
  /** Axes that must be measured. */
  readonly requiredAxes: readonly Axis[];
  /** Environments whose deployments count, compared exactly; null: all. */
  readonly environments: readonly string[] | null;
  /** How old the test run may be, in hours, counted in whole minutes; null: any age. */
  readonly freshnessHours: number | null;
  readonly verification: 'latest_run' | 'latest_per_suite';
  /** Most open critical bugs, with any weight of quality; null: not limited. */
  readonly maxOpenCriticalBugs: number | null;
  /** Finished deployments needed before stability is measured, at least 1. */
  readonly minFinishedDeployments: number;
  /**
   * What the minimum of stability is demanded of: `rate` (as missing): 100 * (1 - change failure rate), the axis' score;
   * `upper_bound`: 100 * (1 - upper bound of the rate's 95 % interval), so that few deployments prove little.
   */
  readonly stabilityBound?: 'rate' | 'upper_bound';
  /** Hours without a deployment or a test run after which its source counts as silent; null or missing: only its usual rhythm decides. */
  readonly silenceHours?: number | null;
  /** Axes beside the five, at most 20. Missing or empty: none. */
  readonly ownAxes?: readonly OwnAxis[];
}

const MS_PER_MINUTE = 60_000;

/** A limit of the policy (hours above 0, fractions allowed) in milliseconds: whole minutes, the nearest, at least one. */
export const limitMs = (hours: number): number => Math.max(1, Math.round(hours * 60)) * MS_PER_MINUTE;

/** The part of a policy that decides which records count; all else judges what was counted. */
export type CountingRules = Pick<Policy, 'environments' | 'verification'>;

/** A policy as it was at one time: every change makes a new version, from 1. */
export interface PolicyVersion {
  readonly policy: Policy;
  readonly version: number;
  readonly changedAt: number;
  /** Name of the person who changed it; null: the defaults the project was created with. */
  readonly changedBy: string | null;
}

export const DEFAULT_POLICY: Policy = Object.freeze({
  weights: Object.freeze({ scope: 1, quality: 1, ops: 1, verification: 1, stability: 1 }),
  threshold: 80,
  minimums: Object.freeze({ scope: 60, quality: 60, ops: 100, verification: 95, stability: 60 }),
  requiredAxes: Object.freeze([...AXES]),
  environments: null,
  freshnessHours: null,
  verification: 'latest_run',
  maxOpenCriticalBugs: 0,
  minFinishedDeployments: 1,
  stabilityBound: 'rate',
  silenceHours: null,
});

/** Whether deployments of the same environments count; in which order they are named does not matter. */
const sameEnvironments = ({ environments: a }: CountingRules, { environments: b }: CountingRules): boolean => {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((name) => b.includes(name));
};

/** Whether two policies count the same records, however they judge them. */
export const sameCounting = (a: CountingRules, b: CountingRules): boolean =>
  a.verification === b.verification && sameEnvironments(a, b);

/**
 * The facts as `to` counts them, known as `from` counted them: `recounted` is a reading under `to`, of which only what
 * the two count differently is taken. So facts that were frozen stay what they were but for the test runs and
 * deployments that are chosen anew.
 */
export const recountedFacts = (
  facts: ReleaseFacts,
  from: CountingRules,
  recounted: ReleaseFacts,
  to: CountingRules,
): ReleaseFacts => ({
  ...facts,
  verification: from.verification === to.verification ? facts.verification : recounted.verification,
  stability: sameEnvironments(from, to) ? facts.stability : recounted.stability,
});

type Differs = (a: Policy, b: Policy) => boolean;

const demandsOtherwise = (axis: Axis, a: Policy, b: Policy): boolean =>
  a.weights[axis] !== b.weights[axis] ||
  a.minimums[axis] !== b.minimums[axis] ||
  a.requiredAxes.includes(axis) !== b.requiredAxes.includes(axis);

const OWN: Partial<Record<Axis, Differs>> = {
  quality: (a, b) => a.maxOpenCriticalBugs !== b.maxOpenCriticalBugs,
  verification: (a, b) => a.verification !== b.verification || a.freshnessHours !== b.freshnessHours,
  stability: (a, b) =>
    !sameCounting({ ...a, verification: b.verification }, b) ||
    a.minFinishedDeployments !== b.minFinishedDeployments ||
    (a.stabilityBound ?? 'rate') !== (b.stabilityBound ?? 'rate'),
};

const NONE: readonly OwnAxis[] = Object.freeze([]);

const sameOwnAxis = (one: OwnAxis | undefined, other: OwnAxis | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (one.weight ?? 0) === (other.weight ?? 0) &&
  (one.minimum ?? 0) === (other.minimum ?? 0) &&
  (one.required ?? false) === (other.required ?? false) &&
  (one.freshForHours ?? null) === (other.freshForHours ?? null);

/** The own axes that only one policy has, or that it demands something else of, by name. */
const ownAxesOf = ({ ownAxes: a = NONE }: Policy, { ownAxes: b = NONE }: Policy): readonly AxisName[] => {
  const names = [...new Set([...a, ...b].map(({ name }) => name))].sort();
  const named = (axes: readonly OwnAxis[], name: string) => axes.find((axis) => axis.name === name);
  return names.filter((name) => !sameOwnAxis(named(a, name), named(b, name)));
};

/** The axes of which another policy counts or demands something else, in axis order; its threshold is none's. */
export const axesOfPolicy = (a: Policy, b: Policy): readonly AxisName[] => [
  ...AXES.filter((axis) => demandsOtherwise(axis, a, b) || OWN[axis]?.(a, b) === true),
  ...ownAxesOf(a, b),
];

const MAX_ENVIRONMENTS = 100;
const MAX_ENVIRONMENT_LENGTH = 200;
const WAYS_TO_VERIFY: readonly unknown[] = ['latest_run', 'latest_per_suite'] satisfies Policy['verification'][];
const BOUNDS: readonly unknown[] = ['rate', 'upper_bound'] satisfies Policy['stabilityBound'][];

const PER_AXIS = Object.freeze(Object.fromEntries(AXES.map((axis) => [axis, axis])));
/** The members of a policy with the names they are sent under. */
const NAMES: { readonly [Name in keyof Required<Policy>]: string } = Object.freeze({
  weights: 'weights',
  threshold: 'threshold',
  minimums: 'minimums',
  requiredAxes: 'required_axes',
  environments: 'environments',
  freshnessHours: 'freshness_hours',
  verification: 'verification',
  maxOpenCriticalBugs: 'max_open_critical_bugs',
  minFinishedDeployments: 'min_finished_deployments',
  stabilityBound: 'stability_bound',
  silenceHours: 'silence_hours',
  ownAxes: 'own_axes',
});

const isAxis = (value: unknown): value is Axis => AXES.some((axis) => axis === value);

/** Code points, as JSON Schema counts the length of a string; of one that is too long anyway, more than may be. */
const lengthOf = (text: string): number => (text.length > 2 * MAX_ENVIRONMENT_LENGTH ? text.length : [...text].length);

const oneOf = (faults: FaultList, pointer: string, name: string, value: unknown, values: readonly unknown[]): void => {
  if (typeof value !== 'string') faults.misfit(pointer, value, values.join(' or '));
  else if (!values.includes(value)) faults.add(pointer, 'unknown_value', `${name} must be ${values.join(' or ')}`);
};

const repeated = (faults: FaultList, pointer: string, noun: string, values: readonly unknown[]): void => {
  const seen = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    if (typeof value === 'string' && seen.has(value))
      faults.add(
        `${pointer}/${index}`,
        'duplicate',
        `The ${noun} ${value.slice(0, MAX_ENVIRONMENT_LENGTH)} is named twice`,
      );
    seen.add(value);
  }
};

const requiredAxesFaults = (faults: FaultList, value: unknown): readonly unknown[] => {
  const axes = faults.list(value, '/required_axes', MAX_ENVIRONMENTS) ?? [];
  for (const [index, axis] of axes.entries()) {
    if (isAxis(axis)) continue;
    if (typeof axis !== 'string') faults.misfit(`/required_axes/${index}`, axis, 'the name of an axis');
    else
      faults.add(
        `/required_axes/${index}`,
        'unknown_axis',
        `There is no axis ${axis.slice(0, MAX_ENVIRONMENT_LENGTH)}`,
      );
  }
  repeated(faults, '/required_axes', 'axis', axes);
  return axes;
};

const environmentFaults = (faults: FaultList, value: unknown): readonly unknown[] | null => {
  const pointer = '/environments';
  if (value === null) return null;
  if (!Array.isArray(value)) {
    faults.misfit(pointer, value, 'a list or null');
    return null;
  }
  const { length } = value;
  if (length === 0) faults.add(pointer, 'empty', 'The environments must name at least one, or be null for all');
  if (length > MAX_ENVIRONMENTS) {
    faults.add(pointer, 'too_many', `The environments must be ${MAX_ENVIRONMENTS} at most`);
    return null;
  }
  const names: readonly unknown[] = entriesOf(value, length);
  for (const [index, name] of names.entries()) {
    const at = `${pointer}/${index}`;
    const length = typeof name === 'string' ? lengthOf(name) : 0;
    if (typeof name !== 'string') faults.misfit(at, name, 'a text');
    else if (length === 0 || length > MAX_ENVIRONMENT_LENGTH)
      faults.add(at, 'length', `An environment must be 1 to ${MAX_ENVIRONMENT_LENGTH} characters`);
  }
  repeated(faults, pointer, 'environment', names);
  return names;
};

const perAxis = (
  faults: FaultList,
  pointer: string,
  value: unknown,
  look: (pointer: string, value: unknown, axis: Axis) => void,
): Members | null => {
  const values = faults.object(value, pointer, PER_AXIS);
  if (values !== null) for (const axis of AXES) look(`${pointer}/${axis}`, values[axis], axis);
  return values;
};

/** Finds what is wrong with a policy; answers it as it was read, if it is an object. */
export const checkPolicy = (faults: FaultList, value: unknown): Members | null => {
  const policy = faults.object(value, '', NAMES);
  if (policy === null) return null;
  const weights = perAxis(faults, '/weights', policy.weights, (at, weight, axis) => {
    wholeNumberFaults(faults, at, `The weight of ${axis}`, weight, 0, MAX_WEIGHT);
  });
  percentageFaults(faults, '/threshold', 'The threshold', policy.threshold);
  const minimums = perAxis(faults, '/minimums', policy.minimums, (at, minimum, axis) => {
    percentageFaults(faults, at, `The minimum of ${axis}`, minimum);
  });
  const requiredAxes = requiredAxesFaults(faults, policy.requiredAxes);
  const environments = environmentFaults(faults, policy.environments);
  hoursFaults(faults, '/freshness_hours', 'The freshness', policy.freshnessHours);
  oneOf(faults, '/verification', 'The verification', policy.verification, WAYS_TO_VERIFY);
  const { maxOpenCriticalBugs: bugs, minFinishedDeployments: sample, stabilityBound, silenceHours } = policy;
  if (bugs !== null)
    wholeNumberFaults(faults, '/max_open_critical_bugs', 'The limit of critical bugs', bugs, 0, MAX_COUNT);
  wholeNumberFaults(faults, '/min_finished_deployments', 'The least number of deployments', sample, 1, MAX_COUNT);
  if (stabilityBound !== undefined) oneOf(faults, '/stability_bound', 'The bound of stability', stabilityBound, BOUNDS);
  if (silenceHours !== undefined) hoursFaults(faults, '/silence_hours', 'The limit of silence', silenceHours);
  const read = { ...policy, weights, minimums, requiredAxes, environments };
  return policy.ownAxes === undefined ? read : { ...read, ownAxes: ownAxesFaults(faults, policy.ownAxes) };
};

/**
 * Every fault for which nothing can be judged by what is said to be a policy. Policies stored before the rules became
 * stricter have none of these.
 */
export const unfitPolicyFaults = (value: unknown): readonly Fault[] =>
  faultsFound((faults) => {
    checkPolicy(faults, value);
  });

/**
 * Every fault of what is said to be a policy, none where it may be stored: no member is missing, of another kind or surplus,
 * each is within its range, and one weight at least is above 0. Takes anything and never throws; lists 100 faults at most,
 * then says so. Pointers are into its wire form (`/weights/scope`, `/min_finished_deployments`), a surplus member has the
 * name it is given under. Codes: `missing`, `wrong_type`, `surplus`, `not_whole`, `out_of_range`, `too_many_decimals`,
 * `empty`, `too_many`, `length`, `duplicate`, `unknown_axis`, `unknown_value`, `all_zero`, `unreadable`,
 * `too_many_faults`. A count is at most 2^31 - 1, as every count is.
 */
export const policyFaults = (value: unknown): readonly Fault[] =>
  faultsFound((faults) => {
    const policy = checkPolicy(faults, value);
    const weights = policy?.weights as Members | null | undefined;
    const own = (policy?.ownAxes ?? NONE) as readonly (Partial<OwnAxis> | null)[];
    const weighs = own.some((axis) => (axis?.weight ?? 0) > 0);
    if (weights && !weighs && AXES.every((axis) => weights[axis] === 0))
      faults.add('/weights', 'all_zero', 'At least one weight must be above 0: without weights there is no score');
  });

/** The entries of a list of so many at most, each read once; undefined where it is none. */
const plainList = <Entry>(list: readonly Entry[], most: number): readonly Entry[] | undefined => {
  if (!Array.isArray(list)) return undefined;
  const { length } = list as readonly Entry[];
  return length <= most ? entriesOf(list as readonly Entry[], length) : undefined;
};

/** The fast check compares so many names with each other; for more it returns false. */
const MOST_COMPARED = 8;

const plainEnvironments = (list: readonly string[]): readonly string[] | undefined => {
  const names = plainList(list, MOST_COMPARED);
  if (names === undefined || names.length === 0) return undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name: unknown = names[index];
    if (typeof name !== 'string' || name.length === 0 || name.length > MAX_ENVIRONMENT_LENGTH) return undefined;
    if (names.indexOf(name) !== index) return undefined;
  }
  return names;
};

const plainPerAxis = (values: PerAxis<number>, fits: (value: number) => boolean): PerAxis<number> | undefined => {
  const { scope, quality, ops, verification, stability } = values;
  return fits(scope) &&
    fits(quality) &&
    fits(ops) &&
    fits(verification) &&
    fits(stability) &&
    memberCount(values) === AXES.length
    ? { scope, quality, ops, verification, stability }
    : undefined;
};

/** Names of axes where they are in axis order; undefined means unknown. */
const plainAxes = (list: readonly Axis[]): readonly Axis[] | undefined => {
  const names = plainList(list, AXES.length);
  if (names === undefined) return undefined;
  let next = 0;
  for (const axis of AXES) if (next < names.length && names[next] === axis) next += 1;
  return next === names.length ? names : undefined;
};

/** Policies that cannot change, found to fit. */
const FROZEN_AND_FIT = new WeakSet<Policy>();

/** Whether an object has these members and none can ever be another: a frozen getter may still answer anything. */
const isFixed = (value: object, names: readonly string[]): boolean =>
  Object.isFrozen(value) && names.every((name) => 'value' in (Object.getOwnPropertyDescriptor(value, name) ?? {}));

const FIXED_NAMES: readonly string[] = Object.keys(NAMES).filter((name) => name !== 'ownAxes');

/** Whether a policy is frozen in all its parts, and no member of it is a getter. */
export const cannotChange = (policy: Policy): boolean =>
  (!('ownAxes' in policy) ||
    ('value' in (Object.getOwnPropertyDescriptor(policy, 'ownAxes') ?? {}) &&
      policy.ownAxes !== undefined &&
      areFixed(policy.ownAxes))) &&
  isFixed(policy, FIXED_NAMES) &&
  policy.environments === null &&
  isFixed(policy.weights, AXES) &&
  isFixed(policy.minimums, AXES) &&
  isFixed(policy.requiredAxes, Object.keys(policy.requiredAxes));

/**
 * A fast check: the policy, each member read once, where it can be used to judge; undefined means unknown, ask
 * `checkPolicy`. May throw for values that are no policy. A policy that is frozen in all its parts, as the default is, is
 * checked once, and is answered itself.
 */
export const plainPolicy = (policy: Policy): Policy | undefined => {
  if (FROZEN_AND_FIT.has(policy)) return policy;
  const { threshold, freshnessHours, verification, maxOpenCriticalBugs, minFinishedDeployments } = policy;
  const { environments: named, stabilityBound, silenceHours, ownAxes: own } = policy;
  const weights = plainPerAxis(policy.weights, isWeight);
  const minimums = plainPerAxis(policy.minimums, isPercentage);
  const requiredAxes = plainAxes(policy.requiredAxes);
  const environments = named === null ? null : plainEnvironments(named);
  if (weights === undefined || minimums === undefined || requiredAxes === undefined || environments === undefined)
    return undefined;
  const ownAxes = own === undefined ? undefined : plainOwnAxes(own);
  const fits =
    isPercentage(threshold) &&
    areHours(freshnessHours) &&
    WAYS_TO_VERIFY.includes(verification) &&
    (maxOpenCriticalBugs === null || isCount(maxOpenCriticalBugs)) &&
    isCount(minFinishedDeployments) &&
    minFinishedDeployments > 0 &&
    (stabilityBound === undefined || BOUNDS.includes(stabilityBound)) &&
    (silenceHours === undefined || areHours(silenceHours)) &&
    (own === undefined) === (ownAxes === undefined) &&
    memberCount(policy) ===
      9 + (stabilityBound === undefined ? 0 : 1) + (silenceHours === undefined ? 0 : 1) + (own === undefined ? 0 : 1);
  if (!fits) return undefined;
  if (cannotChange(policy)) {
    FROZEN_AND_FIT.add(policy);
    return policy;
  }
  const plain = {
    weights,
    threshold,
    minimums,
    requiredAxes,
    environments,
    freshnessHours,
    verification,
    maxOpenCriticalBugs,
    minFinishedDeployments,
    stabilityBound: stabilityBound ?? 'rate',
    silenceHours: silenceHours ?? null,
  };
  return ownAxes === undefined ? plain : { ...plain, ownAxes };
};

const withOwn = (
  five: InAxisOrder<number>,
  ownAxes: readonly OwnAxis[],
  of: (axis: OwnAxis) => number,
): InAxisOrder<number> => {
  const all: [...InAxisOrder<number>] = [...five];
  for (let place = 0; place < ownAxes.length; place += 1) all.push(of(ownAxes[place] as OwnAxis));
  return all;
};

/** The weights of all axes: of the five, then of the own ones. */
export const weightsOf = ({ weights, ownAxes }: Policy): InAxisOrder<number> => {
  const five = inAxisOrder(weights);
  return ownAxes === undefined ? five : withOwn(five, ownAxes, ({ weight = 0 }) => weight);
};

/** The minimums likewise. */
export const minimumsOf = ({ minimums, ownAxes }: Policy): InAxisOrder<number> => {
  const five = inAxisOrder(minimums);
  return ownAxes === undefined ? five : withOwn(five, ownAxes, ({ minimum = 0 }) => minimum);
};

/** Every version of each project's policy; none is ever changed. */
export interface PolicyStore {
  current(projectId: string): Promise<PolicyVersion | undefined>;
  /** All of them, newest first. */
  versions(projectId: string, page: PageRequest): Promise<Page<PolicyVersion>>;
  /** Adds version `next.version` if the current one is `next.version - 1`, and marks the project's releases as changed; false otherwise. */
  add(projectId: string, next: PolicyVersion): Promise<boolean>;
}
