import type { Fault } from '../errors.js';
import type { Page, PageRequest } from '../page.js';
import { AXES, type Axis, type AxisName, type InAxisOrder, inAxisOrder, type PerAxis } from './axis.js';
import type { CountedFrom } from './counted-axis.js';
import {
  areHours,
  choiceFaults,
  hoursFaults,
  isPercentage,
  isWeight,
  MAX_WEIGHT,
  percentageFaults,
  wholeNumberFaults,
} from './demands.js';
import type { ReleaseFacts } from './facts.js';
import {
  entriesOf,
  type FaultList,
  type FindFaults,
  isCount,
  listFaults,
  type Members,
  memberCount,
  objectFaults,
  readWithFaults,
  textFaults,
  unlessMissing,
  unlessNull,
} from './faults.js';
import { MAX_COUNT } from './numbers.js';
import { areFrozenAndSorted, type OwnAxis, ownAxesFaults, plainOwnAxes } from './own-axis.js';

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
   * The value that must reach the minimum of stability: `rate` (also if missing): 100 * (1 - change failure rate), its
   * score; `upper_bound`: 100 * (1 - upper bound of the rate's 95 % interval), so that few deployments prove little.
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

/** The part of a policy that decides which records count, and for which own axes; all else judges what was counted. */
export type CountingRules = Pick<Policy, 'environments' | 'verification' | 'ownAxes'>;

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

const NONE: readonly OwnAxis[] = Object.freeze([]);

const ownAxisNames = ({ ownAxes = NONE }: CountingRules): readonly string[] => ownAxes.map(({ name }) => name);

/** The records that the service counts for the axis of that name; null: it has none of that name, or one that is reported. */
const countedFor = ({ ownAxes = NONE }: CountingRules, name: string): CountedFrom | null =>
  ownAxes.find((axis) => axis.name === name)?.countedFrom ?? null;

/** The own axes for which two policies count different records, or only one of them counts any. */
const countedOtherwise = (a: CountingRules, b: CountingRules): readonly string[] =>
  [...new Set([...ownAxisNames(a), ...ownAxisNames(b)])].filter((name) => countedFor(a, name) !== countedFor(b, name));

/** Whether two policies count the same records, however they judge them. */
export const sameCounting = (a: CountingRules, b: CountingRules): boolean =>
  a.verification === b.verification && sameEnvironments(a, b) && countedOtherwise(a, b).length === 0;

/** The facts of own axes; those with these names are taken from `recounted`. */
const recountedOwn = (
  { ownAxes = {} }: ReleaseFacts,
  names: readonly string[],
  { ownAxes: recounted = {} }: ReleaseFacts,
): Pick<ReleaseFacts, 'ownAxes'> => {
  const all = new Map(Object.entries(ownAxes));
  for (const name of names) {
    const anew = Object.hasOwn(recounted, name) ? recounted[name] : undefined;
    if (anew === undefined) all.delete(name);
    else all.set(name, anew);
  }
  return { ownAxes: Object.fromEntries(all) };
};

/** The facts of test runs. The two belong together: while a run is set aside, `verification` must be null. */
const testsOf = ({
  verification,
  testRunSetAside,
}: ReleaseFacts): Pick<ReleaseFacts, 'verification' | 'testRunSetAside'> => ({
  verification,
  ...(testRunSetAside === undefined ? {} : { testRunSetAside }),
});

/**
 * Returns the facts as the rules `to` count them. `facts` were counted by `from`, and `recounted` by `to`; only what
 * the two count differently is taken from `recounted`. So all other facts stay as they were frozen.
 */
export const recountedFacts = (
  facts: ReleaseFacts,
  from: CountingRules,
  recounted: ReleaseFacts,
  to: CountingRules,
): ReleaseFacts => {
  const names = countedOtherwise(from, to);
  const { testRunSetAside: _, ...others } = facts;
  return {
    ...others,
    ...testsOf(from.verification === to.verification ? facts : recounted),
    stability: sameEnvironments(from, to) ? facts.stability : recounted.stability,
    ...(names.length === 0 ? {} : recountedOwn(facts, names, recounted)),
  };
};

type Differs = (a: Policy, b: Policy) => boolean;

const demandsOtherwise = (axis: Axis, a: Policy, b: Policy): boolean =>
  a.weights[axis] !== b.weights[axis] ||
  a.minimums[axis] !== b.minimums[axis] ||
  a.requiredAxes.includes(axis) !== b.requiredAxes.includes(axis);

const DIFFERS_FOR_AXIS: Partial<Record<Axis, Differs>> = {
  quality: (a, b) => a.maxOpenCriticalBugs !== b.maxOpenCriticalBugs,
  verification: (a, b) => a.verification !== b.verification || a.freshnessHours !== b.freshnessHours,
  stability: (a, b) =>
    !sameEnvironments(a, b) ||
    a.minFinishedDeployments !== b.minFinishedDeployments ||
    (a.stabilityBound ?? 'rate') !== (b.stabilityBound ?? 'rate'),
};

const sameOwnAxis = (one: OwnAxis | undefined, other: OwnAxis | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (one.weight ?? 0) === (other.weight ?? 0) &&
  (one.minimum ?? 0) === (other.minimum ?? 0) &&
  (one.required ?? false) === (other.required ?? false) &&
  (one.freshForHours ?? null) === (other.freshForHours ?? null) &&
  (one.countedFrom ?? null) === (other.countedFrom ?? null);

/** The own axes that only one of the policies has, or that they demand different things of, by name. */
const ownAxesOf = ({ ownAxes: a = NONE }: Policy, { ownAxes: b = NONE }: Policy): readonly AxisName[] => {
  const names = [...new Set([...a, ...b].map(({ name }) => name))].sort();
  const named = (axes: readonly OwnAxis[], name: string) => axes.find((axis) => axis.name === name);
  return names.filter((name) => !sameOwnAxis(named(a, name), named(b, name)));
};

/** The axes that two policies count or judge differently, in axis order. The threshold belongs to no axis. */
export const axesOfPolicy = (a: Policy, b: Policy): readonly AxisName[] => [
  ...AXES.filter((axis) => demandsOtherwise(axis, a, b) || DIFFERS_FOR_AXIS[axis]?.(a, b) === true),
  ...ownAxesOf(a, b),
];

const MAX_ENVIRONMENTS = 100;
const MAX_ENVIRONMENT_LENGTH = 200;
const MAX_REQUIRED_AXES = 100;
const WAYS_TO_VERIFY: readonly unknown[] = ['latest_run', 'latest_per_suite'] satisfies Policy['verification'][];
const BOUNDS: readonly unknown[] = ['rate', 'upper_bound'] satisfies Policy['stabilityBound'][];

const isAxis = (value: unknown): value is Axis => AXES.some((axis) => axis === value);

/**
 * Length in code points, as JSON Schema counts; of a text that is too long anyway, its UTF-16 length, which is cheaper.
 */
const lengthOf = (text: string): number => (text.length > 2 * MAX_ENVIRONMENT_LENGTH ? text.length : [...text].length);

const shown = (name: string): string => name.slice(0, MAX_ENVIRONMENT_LENGTH);

/** Extends the check of a list: nothing may be named twice. */
const distinct =
  (noun: string, check: FindFaults): FindFaults =>
  (faults, at, value) => {
    const read = check(faults, at, value);
    const seen = new Set<unknown>();
    for (const [index, name] of Array.isArray(read) ? read.entries() : []) {
      if (typeof name === 'string' && seen.has(name))
        faults.add(`${at}/${index}`, 'duplicate', `The ${noun} ${shown(name)} is named twice`);
      seen.add(name);
    }
    return read;
  };

const axisName = textFaults(
  (name) => (isAxis(name) ? undefined : ['unknown_axis', `There is no axis ${shown(name)}`]),
  'the name of an axis',
);

const environmentName = textFaults((name) => {
  const length = lengthOf(name);
  return length === 0 || length > MAX_ENVIRONMENT_LENGTH
    ? ['length', `An environment must be 1 to ${MAX_ENVIRONMENT_LENGTH} characters`]
    : undefined;
});

const environmentNames = distinct(
  'environment',
  listFaults(
    MAX_ENVIRONMENTS,
    environmentName,
    'a list or null',
    `The environments must be ${MAX_ENVIRONMENTS} at most`,
  ),
);

const environments: FindFaults = (faults, at, value) => {
  const read = environmentNames(faults, at, value);
  if (Array.isArray(read) && read.length === 0)
    faults.add(at, 'empty', 'The environments must name at least one, or be null for all');
  return read;
};

const perAxis = (check: (axis: Axis) => FindFaults): FindFaults =>
  objectFaults(Object.fromEntries(AXES.map((axis) => [axis, check(axis)])));

/** The check of each member of a policy. */
const MEMBERS: { readonly [Name in keyof Required<Policy>]: FindFaults } = {
  weights: perAxis((axis) => wholeNumberFaults(`The weight of ${axis}`, 0, MAX_WEIGHT)),
  threshold: percentageFaults('The threshold'),
  minimums: perAxis((axis) => percentageFaults(`The minimum of ${axis}`)),
  requiredAxes: distinct('axis', listFaults(MAX_REQUIRED_AXES, axisName)),
  environments: unlessNull(environments),
  freshnessHours: hoursFaults('The freshness'),
  verification: choiceFaults('The verification', WAYS_TO_VERIFY),
  maxOpenCriticalBugs: unlessNull(wholeNumberFaults('The limit of critical bugs', 0, MAX_COUNT)),
  minFinishedDeployments: wholeNumberFaults('The least number of deployments', 1, MAX_COUNT),
  stabilityBound: unlessMissing(choiceFaults('The bound of stability', BOUNDS)),
  silenceHours: unlessMissing(hoursFaults('The limit of silence')),
  ownAxes: unlessMissing(ownAxesFaults),
};

/** Checks a policy by which a release is to be judged. */
export const checkPolicy = objectFaults(MEMBERS);

/** Every fault that makes a policy unusable for judging. Policies stored before the rules became stricter have none. */
export const unfitPolicyFaults = (value: unknown): readonly Fault[] => readWithFaults(checkPolicy, '', value).faults;

/** The rule that one weight at least is above 0: without weights there is no score. */
const somethingWeighs = (faults: FaultList, at: string, { weights, ownAxes: own }: Members): void => {
  const five = weights as Members | undefined;
  const ownWeighs = ((own ?? NONE) as readonly (OwnAxis | undefined)[]).some((axis) => (axis?.weight ?? 0) > 0);
  if (five && !ownWeighs && AXES.every((axis) => five[axis] === 0))
    faults.add(`${at}/weights`, 'all_zero', 'At least one weight must be above 0: without weights there is no score');
};

/**
 * Every fault of a value that should be a policy; none: it may be stored. No member is missing, of another kind or
 * surplus, each is within its range, and one weight at least is above 0. Takes anything and never throws; lists 100
 * faults at most, then says so. Pointers are into its wire form (`/weights/scope`, `/min_finished_deployments`), a
 * surplus member has the name it is given under. Codes: `missing`, `wrong_type`, `surplus`, `not_whole`,
 * `out_of_range`, `too_many_decimals`, `empty`, `too_many`, `length`, `duplicate`, `unknown_axis`, `unknown_value`,
 * `all_zero`, `unreadable`, `too_many_faults`. A count is at most 2^31 - 1, as every count is.
 */
export const policyFaults = (value: unknown): readonly Fault[] =>
  readWithFaults(objectFaults(MEMBERS, somethingWeighs), '', value).faults;

/** Copies a list, each entry read once; undefined: it is no list, or has more than `most` entries. */
const plainList = <Entry>(list: readonly Entry[], most: number): readonly Entry[] | undefined => {
  if (!Array.isArray(list)) return undefined;
  const { length } = list as readonly Entry[];
  return length <= most ? entriesOf(list as readonly Entry[], length) : undefined;
};

/** Most environments that the fast check compares with each other; for more it returns undefined. */
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

/** Copies the names of axes if they are in axis order; undefined: there may be a fault. */
const plainAxes = (list: readonly Axis[]): readonly Axis[] | undefined => {
  const names = plainList(list, AXES.length);
  if (names === undefined) return undefined;
  let next = 0;
  for (const axis of AXES) if (next < names.length && names[next] === axis) next += 1;
  return next === names.length ? names : undefined;
};

/** Policies that cannot change and passed the fast check. */
const FROZEN_AND_FIT = new WeakSet<Policy>();

/** Whether these members of an object can never change: it is frozen, and none is a getter, whose answer may vary. */
const isFixed = (value: object, names: readonly string[]): boolean =>
  Object.isFrozen(value) && names.every((name) => 'value' in (Object.getOwnPropertyDescriptor(value, name) ?? {}));

const FIXED_NAMES: readonly string[] = Object.keys(MEMBERS).filter((name) => name !== 'ownAxes');

/** Whether a policy can never change: all its parts are frozen, no member is a getter, and it names no environments. */
export const cannotChange = (policy: Policy): boolean =>
  (!('ownAxes' in policy) ||
    ('value' in (Object.getOwnPropertyDescriptor(policy, 'ownAxes') ?? {}) &&
      policy.ownAxes !== undefined &&
      areFrozenAndSorted(policy.ownAxes))) &&
  isFixed(policy, FIXED_NAMES) &&
  policy.environments === null &&
  isFixed(policy.weights, AXES) &&
  isFixed(policy.minimums, AXES) &&
  isFixed(policy.requiredAxes, Object.keys(policy.requiredAxes));

/**
 * Checks a policy fast and returns a copy, each member read once; undefined: only `checkPolicy` can tell. May throw for
 * values that are no policy. A policy that cannot change, such as the default one, is checked once and returned itself.
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

/** The weights of all axes: of the five, then of the own ones. */
export const weightsOf = ({ weights, ownAxes }: Policy): InAxisOrder<number> => {
  const all = inAxisOrder(weights);
  for (const { weight = 0 } of ownAxes ?? NONE) all.push(weight);
  return all;
};

/** The minimums of all axes: of the five, then of the own ones. */
export const minimumsOf = ({ minimums, ownAxes }: Policy): InAxisOrder<number> => {
  const all = inAxisOrder(minimums);
  for (const { minimum = 0 } of ownAxes ?? NONE) all.push(minimum);
  return all;
};

/** Every version of each project's policy; none is ever changed. */
export interface PolicyStore {
  current(projectId: string): Promise<PolicyVersion | undefined>;
  /** All of them, newest first. */
  versions(projectId: string, page: PageRequest): Promise<Page<PolicyVersion>>;
  /** Adds version `next.version` if the current one is `next.version - 1`, and marks the project's releases as changed; false otherwise. */
  add(projectId: string, next: PolicyVersion): Promise<boolean>;
}
