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

/** Names of members, each with the name it is sent under. */
type MemberNames = Readonly<Record<string, string>>;

/** Whether a number is a whole one from 0 to 2^31 - 1, and false for most other values; short, so that it costs next to nothing. */
export const isCount = (value: number): boolean => (value | 0) === value && value >= 0;

const isCountOfAny = (value: unknown): value is number => typeof value === 'number' && isCount(value);

/** Whether a value is a moment of the years 1 to 9999 in whole milliseconds. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= FIRST_MOMENT && value <= LAST_MOMENT;

/** How many members an object has; those that cannot be enumerated are left out. */
export const memberCount = (value: object): number => {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
};

/** The counts of these names in any value; null where one of them is none. */
export const countsIn = <Name extends string>(
  value: unknown,
  names: { readonly [N in Name]: string },
): { readonly [N in Name]: number } | null =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(names).every((name) => isCountOfAny((value as Members)[name]))
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
const token = (name: string): string => name.slice(0, MOST_NAME_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1');

/** Collects the faults of values of any kind, each at its place in the wire form; 100 at most, and a last one where there are more. */
export class FaultList {
  readonly all: Fault[] = [];

  get isFull(): boolean {
    return this.all.length > MOST_FAULTS;
  }

  add(pointer: string, code: string, message: string): void {
    if (this.all.length < MOST_FAULTS) this.all.push({ pointer, code, message });
    else if (!this.isFull)
      this.all.push({ pointer: '', code: 'too_many_faults', message: 'There are more faults than are listed' });
  }

  /** Notes a value that is missing or is not of the kind `kind`, such as "a number". */
  misfit(pointer: string, value: unknown, kind: string): void {
    if (value === undefined) this.add(pointer, 'missing', `It is missing: it must be ${kind}`);
    else this.add(pointer, 'wrong_type', `It must be ${kind}`);
  }

  /** The members of an object, each read once, and a fault for each surplus one. Others than objects are a fault and yield null. */
  object(value: unknown, pointer: string, names: MemberNames): Members | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.misfit(pointer, value, 'an object');
      return null;
    }
    const given = value as Members;
    const members: Record<string, unknown> = {};
    for (const name of Object.keys(names)) {
      const member = given[name];
      if (member !== undefined) members[name] = member;
    }
    for (const name of Object.keys(given)) {
      if (this.isFull) break;
      if (!Object.hasOwn(names, name) && given[name] !== undefined)
        this.add(`${pointer}/${token(name)}`, 'surplus', 'There is no such member');
    }
    return members;
  }

  /** The entries of a list of `most` at most, each read once; others are a fault and yield null. */
  list(value: unknown, pointer: string, most: number): unknown[] | null {
    if (!Array.isArray(value)) {
      this.misfit(pointer, value, 'a list');
      return null;
    }
    const { length } = value;
    if (length <= most) return entriesOf(value, length);
    this.add(pointer, 'too_many', `It must have ${most} entries at most`);
    return null;
  }

  /** True for a count; it is worth being compared then. */
  count(value: unknown, pointer: string): value is number {
    if (isCountOfAny(value)) return true;
    if (typeof value !== 'number') this.misfit(pointer, value, 'a number');
    else this.add(pointer, 'out_of_range', `A count must be a whole number from 0 to ${MAX_COUNT}`);
    return false;
  }

  /** The counts of these names, to be compared; null where one of them is none. */
  counts<Name extends string>(
    members: Members,
    pointer: string,
    names: { readonly [N in Name]: string },
  ): { readonly [N in Name]: number } | null {
    const named: readonly (readonly [string, string])[] = Object.entries(names);
    const faulty = named.filter(([name, sentAs]) => !this.count(members[name], `${pointer}/${sentAs}`));
    return faulty.length === 0 ? (members as { readonly [N in Name]: number }) : null;
  }

  moment(value: unknown, pointer: string): void {
    if (isMoment(value)) return;
    if (typeof value !== 'number') this.misfit(pointer, value, 'a number of milliseconds');
    else this.add(pointer, 'out_of_range', 'A moment must be whole milliseconds since 1970, in the years 1 to 9999');
  }

  text(value: unknown, pointer: string): void {
    if (typeof value !== 'string') this.misfit(pointer, value, 'a text');
  }

  textOrNull(value: unknown, pointer: string): void {
    if (value !== null && typeof value !== 'string') this.misfit(pointer, value, 'a text or null');
  }

  flag(value: unknown, pointer: string): void {
    if (typeof value !== 'boolean') this.misfit(pointer, value, 'either true or false');
  }

  atMost(value: number, most: number, pointer: string, message: string): void {
    if (value > most) this.add(pointer, 'does_not_fit', message);
  }
}

/** The faults that `look` finds. What throws when it is read is a fault itself, so that this never throws. */
export const faultsFound = (look: (faults: FaultList) => void): readonly Fault[] => {
  const faults = new FaultList();
  try {
    look(faults);
  } catch {
    faults.add('', 'unreadable', 'Reading a member of it fails');
  }
  return faults.all;
};
