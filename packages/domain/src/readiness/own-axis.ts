import { AXES } from './axis.js';
import { axisWords, COUNTED_FROM, type CountedFrom, isDefaultUnit, PARTS } from './counted-axis.js';
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
import {
  type FaultList,
  type FindFaults,
  flagFaults,
  listFaults,
  type Members,
  memberCount,
  objectFaults,
  textFaults,
  unlessMissing,
  unlessNull,
} from './faults.js';

/** What a project demands of an axis of its own. */
export interface OwnAxis {
  /** A small letter, then 1 to 39 small letters, digits and underscores; none of the five axes. */
  readonly name: string;
  /** How it is called, 1 to 60 characters. Missing: its name, written as a title. */
  readonly title?: string;
  /** What it counts, each 1 to 40 characters. Missing: parts. */
  readonly unit?: { readonly one: string; readonly many: string };
  /** A whole number 0-1000. Missing or 0: it is shown, and enters neither score, coverage nor gate. */
  readonly weight?: number;
  /** Minimum score, 0-100, at most two decimals. Missing: 0. */
  readonly minimum?: number;
  /** Whether it must be measured. Missing: false. */
  readonly required?: boolean;
  /** The greatest age of its latest report, in hours, rounded to whole minutes; missing or null: any age. */
  readonly freshForHours?: number | null;
  /** The records the service counts for it; missing or null: its facts are reported. */
  readonly countedFrom?: CountedFrom | null;
}

/** Most own axes of one project. */
export const MOST_OWN_AXES = 20;

const MAX_TITLE = 60;
const MAX_UNIT = 40;
const NAME = /^[a-z][a-z0-9_]{1,39}$/;
const FIVE: ReadonlySet<string> = new Set(AXES);

const NAME_RULE =
  'It must be a small letter and 1 to 39 small letters, digits and underscores, and none of the five axes';

/** Whether a value can name an own axis. */
export const isOwnName = (value: unknown): value is string =>
  typeof value === 'string' && NAME.test(value) && !FIVE.has(value);

/** The unit an axis counts in: its own, else the default. */
export const unitOf = ({ unit, countedFrom }: Pick<OwnAxis, 'unit' | 'countedFrom'>): NonNullable<OwnAxis['unit']> =>
  unit ?? axisWords(countedFrom).unit;

/** The axis as it begins a sentence: `third_party` is "Third party" unless it has a title. */
export const ownTitle = ({ name, title }: Pick<OwnAxis, 'name' | 'title'>): string =>
  title ?? (name[0] ?? '').toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Whether the service counts the axis; else it is reported. */
export const isCounted = ({ countedFrom = null }: Pick<OwnAxis, 'countedFrom'>): boolean => countedFrom !== null;

/**
 * Prepares the own axes that a caller sent. A missing `countedFrom` is taken from the present policy, null removes it; a default unit
 * is left out. A value that is no list is returned unchanged, to be named as a fault.
 */
export const preparedAxes = (sent: readonly OwnAxis[], present: readonly OwnAxis[] = []): readonly OwnAxis[] =>
  Array.isArray(sent) ? sent.map((axis) => (isObject(axis) ? preparedAxis(axis, present) : axis)) : sent;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const preparedAxis = ({ countedFrom: asked, unit, ...axis }: OwnAxis, present: readonly OwnAxis[]): OwnAxis => {
  const countedFrom = asked === undefined ? present.find(({ name }) => name === axis.name)?.countedFrom : asked;
  return {
    ...axis,
    ...(unit === undefined || (isObject(unit) && isDefaultUnit(unit)) ? {} : { unit }),
    ...(countedFrom == null ? {} : { countedFrom }),
  };
};

/** Sorts own axes by name. */
export const byName = ({ name: one }: Pick<OwnAxis, 'name'>, { name: other }: Pick<OwnAxis, 'name'>): number =>
  one < other ? -1 : one > other ? 1 : 0;

const shortText = (most: number): FindFaults =>
  textFaults((value) =>
    value.length > 2 * most || [...value].length > most || value.trim() === ''
      ? ['length', `It must be 1 to ${most} characters, not all of them blanks`]
      : undefined,
  );

/** Checks the name of an own axis, which must be new in the list. */
const newName = (seen: Set<unknown>): FindFaults =>
  textFaults((name) => {
    if (!isOwnName(name)) return ['name', NAME_RULE];
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice ? ['duplicate', `The axis ${name} is named twice`] : undefined;
  });

const presentWeightFaults = wholeNumberFaults('The weight of an axis', 0, MAX_WEIGHT);
/** Checks an optional weight; returns null for a bad one, so that no later rule reports it again. */
const weightFaults: FindFaults = (faults, at, value) =>
  value === undefined ? undefined : (presentWeightFaults(faults, at, value) ?? null);

const MEMBERS = {
  title: unlessMissing(shortText(MAX_TITLE)),
  unit: unlessMissing(objectFaults({ one: shortText(MAX_UNIT), many: shortText(MAX_UNIT) })),
  weight: weightFaults,
  minimum: unlessMissing(percentageFaults('The minimum of an axis')),
  required: unlessMissing(flagFaults),
  freshForHours: unlessMissing(hoursFaults('The freshness')),
  countedFrom: unlessMissing(unlessNull(choiceFaults('What is counted', COUNTED_FROM))),
};

/** The rule that a counted axis sets no `freshForHours`: a count is never stale. */
const noFreshnessOfCounts = (
  faults: FaultList,
  at: string,
  { countedFrom = null, freshForHours = null }: Members,
): void => {
  if (countedFrom !== null && freshForHours !== null)
    faults.add(`${at}/fresh_for_hours`, 'does_not_fit', 'An axis that the service counts is never stale');
};

/** The rule that nothing is demanded of an axis that is not judged. */
const demandsFit = (faults: FaultList, at: string, { weight = 0, minimum = 0, required }: Members): void => {
  if (weight !== 0) return;
  if (minimum !== 0)
    faults.add(`${at}/minimum`, 'does_not_fit', 'An axis of weight 0 is not judged: it cannot have a minimum');
  if (required === true)
    faults.add(`${at}/required`, 'does_not_fit', 'An axis of weight 0 is not judged: it cannot be required');
};

/** Checks the own axes of a policy; returns them by name. */
export const ownAxesFaults: FindFaults = (faults, at, value) => {
  const axis = objectFaults({ name: newName(new Set()) }, MEMBERS, demandsFit, noFreshnessOfCounts);
  const read = listFaults(MOST_OWN_AXES, axis)(faults, at, value) as readonly (OwnAxis | undefined)[] | undefined;
  return read?.every((axis) => typeof axis?.name === 'string') ? (read as OwnAxis[]).sort(byName) : read;
};

const isShortText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length <= most && value.trim() !== '';

const plainUnit = (unit: NonNullable<OwnAxis['unit']>): OwnAxis['unit'] => {
  const { one, many } = unit;
  return isShortText(one, MAX_UNIT) && isShortText(many, MAX_UNIT) && memberCount(unit) === 2
    ? { one, many }
    : undefined;
};

const KNOWN = new Set(['name', ...Object.keys(MEMBERS)]);

const hasOnlyKnownMembers = (axis: OwnAxis): boolean => {
  for (const member in axis) if (!KNOWN.has(member)) return false;
  return true;
};

/** Gives every axis the same shape: the engine reads it often, and one shape is fast. */
const plainOwnAxis = (axis: OwnAxis): Required<OwnAxis> | undefined => {
  const { name, title, unit, weight = 0, minimum = 0, required = false, freshForHours = null } = axis;
  const { countedFrom = null } = axis;
  const words = unit === undefined ? unitOf({ countedFrom }) : plainUnit(unit);
  const fits =
    isOwnName(name) &&
    (title === undefined || isShortText(title, MAX_TITLE)) &&
    words !== undefined &&
    isWeight(weight) &&
    isPercentage(minimum) &&
    typeof required === 'boolean' &&
    areHours(freshForHours) &&
    (weight > 0 || (minimum === 0 && !required)) &&
    (countedFrom === null || (freshForHours === null && COUNTED_FROM.includes(countedFrom))) &&
    hasOnlyKnownMembers(axis);
  if (!fits) return undefined;
  return { name, title: title ?? ownTitle(axis), unit: words, weight, minimum, required, freshForHours, countedFrom };
};

/** Whether own axes are frozen in all their parts, without getters, and sorted by name. */
export const areFrozenAndSorted = (axes: readonly OwnAxis[]): boolean =>
  Object.isFrozen(axes) &&
  axes.every(
    (axis, place) =>
      Object.isFrozen(axis) &&
      (axis.unit === undefined || Object.isFrozen(axis.unit)) &&
      Object.values(Object.getOwnPropertyDescriptors(axis)).every((member) => 'value' in member) &&
      Object.values(Object.getOwnPropertyDescriptors(axis.unit ?? PARTS)).every((member) => 'value' in member) &&
      (place === 0 || byName(axes[place - 1] ?? axis, axis) < 0),
  );

/** A fast check that reads each member once: the own axes by name, or undefined where only `ownAxesFaults` can tell. */
export const plainOwnAxes = (list: readonly OwnAxis[]): readonly OwnAxis[] | undefined => {
  if (!Array.isArray(list)) return undefined;
  const { length } = list as readonly OwnAxis[];
  if (!(length <= MOST_OWN_AXES)) return undefined;
  const axes: OwnAxis[] = [];
  for (let index = 0; index < length; index += 1) {
    const axis = plainOwnAxis((list as readonly OwnAxis[])[index] as OwnAxis);
    if (axis === undefined) return undefined;
    axes.push(axis);
  }
  axes.sort(byName);
  for (let place = 1; place < length; place += 1) if (axes[place]?.name === axes[place - 1]?.name) return undefined;
  return axes;
};
