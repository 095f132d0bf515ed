import type { Fault } from '../errors.js';
import { MAX_COUNT } from './numbers.js';

/** How many faults are listed; a last one says that there are more. */
const MOST_FAULTS = 100;
/** The longest part of a member's name that a pointer shows, in characters. */
const MOST_NAME_LENGTH = 100;
const FIRST_MOMENT = -62_135_596_800_000;
const LAST_MOMENT = 253_402_300_799_999;

/** The members of an object by name, those that are undefined left out. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Whether a value is a whole number from 0 to 2^31 - 1; throws for a bigint or a symbol. Short, so that it is cheap.
 */
export const isCount = (value: number): boolean => (value | 0) === value && value >= 0;

const isCountOfAny = (value: unknown): value is number => typeof value === 'number' && isCount(value);

/** Whether a value is a moment of the years 1 to 9999 in whole milliseconds. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= FIRST_MOMENT && value <= LAST_MOMENT;

/** Whether a value is a text or null. */
export const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** How many members an object has; those that cannot be enumerated are left out. */
export const memberCount = (value: object): number => {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
};

/** Returns the counts of these names in a value of any kind; null: one of them is not a count. */
export const countsIn = <Name extends string>(
  value: unknown,
  names: readonly Name[],
): { readonly [N in Name]: number } | null =>
  typeof value === 'object' && value !== null && names.every((name) => isCountOfAny((value as Members)[name]))
    ? (value as { readonly [N in Name]: number })
    : null;

/** The first `length` entries of a list, each read once. */
export const entriesOf = <Entry>(list: readonly Entry[], length: number): Entry[] => {
  const entries: Entry[] = [];
  // `list[index]` is undefined beyond the end of the list; the cast lets such an entry pass as it is.
  for (let index = 0; index < length; index += 1) entries.push(list[index] as Entry);
  return entries;
};

/** A member's name as a part of a JSON pointer. */
export const token = (name: string): string =>
  name.slice(0, MOST_NAME_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1');

/** Collects the faults of a value, each at its place in the wire form; 100 at most, and a last one where there are more. */
export class FaultList {
  readonly all: Fault[] = [];

  constructor(private readonly place: string) {}

  get isFull(): boolean {
    return this.all.length > MOST_FAULTS;
  }

  add(pointer: string, code: string, message: string): undefined {
    if (this.all.length < MOST_FAULTS) this.all.push({ pointer, code, message });
    else if (!this.isFull)
      this.all.push({ pointer: this.place, code: 'too_many_faults', message: 'There are more faults than are listed' });
  }

  /** Notes a value that is missing or is not of the kind `kind`, such as "a number". */
  misfit(pointer: string, value: unknown, kind: string): undefined {
    if (value === undefined) this.add(pointer, 'missing', `It is missing: it must be ${kind}`);
    else this.add(pointer, 'wrong_type', `It must be ${kind}`);
  }
}

/** Notes the faults of the value at a place. Returns the value, each member of it read once; undefined where it is of another kind. */
export type FindFaults = (faults: FaultList, at: string, value: unknown) => unknown;

/** Notes what does not fit together in the object at a place. `read`: its members as the checks before the rule returned them. */
type Rule = (faults: FaultList, at: string, read: Members) => void;

/** Reads a value with a check. Takes anything and never throws: an error thrown by reading becomes a fault. */
export const readWithFaults = (
  check: FindFaults,
  at: string,
  value: unknown,
): { read: unknown; faults: readonly Fault[] } => {
  const faults = new FaultList(at);
  let read: unknown;
  try {
    read = check(faults, at, value);
  } catch {
    faults.add(at, 'unreadable', 'Reading a member of it fails');
  }
  return { read, faults: faults.all };
};

/** The name a member is sent under: `openItems` is sent as `open_items`. */
const sentName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The check of a member that is sent under another name. */
export const sentAs =
  (name: string, check: FindFaults): FindFaults =>
  (faults, at, value) =>
    check(faults, at.slice(0, at.lastIndexOf('/') + 1) + name, value);

/** Checks an object by the checks of its members and by rules, in the order given; a surplus member is a fault. */
export const objectFaults = (...parts: readonly (Readonly<Record<string, FindFaults>> | Rule)[]): FindFaults => {
  const names = parts.flatMap((part) => (typeof part === 'function' ? [] : Object.keys(part)));
  return (faults, at, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return faults.misfit(at, value, 'an object');
    const given = value as Members;
    const members = new Map(names.map((name) => [name, given[name]]));
    for (const name of Object.keys(given)) {
      if (faults.isFull) break;
      if (!members.has(name) && given[name] !== undefined)
        faults.add(`${at}/${token(name)}`, 'surplus', 'There is no such member');
    }
    const read: Record<string, unknown> = {};
    for (const part of parts) {
      if (typeof part === 'function') part(faults, at, read);
      else
        for (const [name, check] of Object.entries(part)) {
          const member = check(faults, `${at}/${sentName(name)}`, members.get(name));
          if (member !== undefined) read[name] = member;
        }
    }
    return read;
  };
};

/** Checks a list of `most` entries at most, and each entry. */
export const listFaults =
  (most: number, entry: FindFaults, kind = 'a list', tooMany = `It must have ${most} entries at most`): FindFaults =>
  (faults, at, value) => {
    if (!Array.isArray(value)) return faults.misfit(at, value, kind);
    const { length } = value;
    // Negated, so that it also refuses a length that is not a number, as a proxy may return.
    if (!(length <= most)) return faults.add(at, 'too_many', tooMany);
    const entries: unknown[] = entriesOf(value, length);
    for (let index = 0; index < length && !faults.isFull; index += 1)
      entries[index] = entry(faults, `${at}/${index}`, entries[index]);
    return entries;
  };

/** A check that lets undefined pass: the member may be missing. */
export const unlessMissing =
  (check: FindFaults): FindFaults =>
  (faults, at, value) =>
    value === undefined ? undefined : check(faults, at, value);

/** A check that lets null pass. */
export const unlessNull =
  (check: FindFaults): FindFaults =>
  (faults, at, value) =>
    value === null ? null : check(faults, at, value);

/** Code and message of what is wrong with a value of the right kind; undefined: nothing is. */
type Finding = readonly [code: string, message: string] | undefined;

const ofType =
  (
    type: 'number' | 'string' | 'boolean',
    kind: string,
    find: (value: never) => Finding = () => undefined,
  ): FindFaults =>
  (faults, at, value) => {
    if (typeof value !== type) return faults.misfit(at, value, kind);
    const found = find(value as never);
    if (found !== undefined) faults.add(at, ...found);
    return value;
  };

/** Checks a number. `find` says what is wrong with it; `kind` names what it must be, such as "a number or null". */
export const numberFaults = (find: (value: number) => Finding, kind = 'a number'): FindFaults =>
  ofType('number', kind, find);

/** Checks a text. `find` says what is wrong with it; `kind` names what it must be, such as "a text or null". */
export const textFaults = (find: (value: string) => Finding, kind = 'a text'): FindFaults =>
  ofType('string', kind, find);

export const anyText = ofType('string', 'a text');
export const textOrNullFaults = unlessNull(ofType('string', 'a text or null'));
export const flagFaults = ofType('boolean', 'either true or false');

export const countFaults = numberFaults((value) =>
  isCount(value) ? undefined : ['out_of_range', `A count must be a whole number from 0 to ${MAX_COUNT}`],
);

export const momentFaults = numberFaults(
  (value) =>
    isMoment(value)
      ? undefined
      : ['out_of_range', 'A moment must be whole milliseconds since 1970, in the years 1 to 9999'],
  'a number of milliseconds',
);

/** The rule that one count is no more than another. */
export const atMost =
  <Part extends string, Whole extends string>(part: Part, whole: Whole, message: string): Rule =>
  (faults, at, read) => {
    const counts: Readonly<Record<string, number>> | null = countsIn(read, [part, whole]);
    if (counts !== null && (counts[part] ?? 0) > (counts[whole] ?? 0))
      faults.add(`${at}/${part}`, 'does_not_fit', message);
  };
