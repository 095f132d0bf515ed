import type { Fault } from '../errors.js';
import { utcMinute } from './utc-minute.js';

/**
 * Returns a copy of the value if it is of the expected kind. Otherwise adds a fault; the caller must not use the result then.
 * Reads each member once.
 */
export type ReadAs<Value> = (value: unknown, pointer: string, faults: Fault[]) => Value;

/** More entries than any list of a verdict has; a list that claims more is not gone through. */
const MOST_ENTRIES = 10_000;
const MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

const readKind =
  <Value>(kind: string, is: (value: unknown) => value is Value): ReadAs<Value> =>
  (value, pointer, faults) => {
    if (!is(value)) faults.push({ pointer, code: 'wrong_kind', message: `It must be ${kind}` });
    return value as Value;
  };

export const asNumber = readKind(
  'a finite number',
  (value): value is number => typeof value === 'number' && Number.isFinite(value),
);
export const asText = readKind('a text', (value) => typeof value === 'string');
export const asFlag = readKind('either true or false', (value) => typeof value === 'boolean');

/** Days that a month has not overflow silently: what comes out again is what was meant. */
const isMoment = (value: unknown): value is string => {
  if (typeof value !== 'string' || !MOMENT.test(value)) return false;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return false;
  const { date, time } = utcMinute(at);
  return value.startsWith(`${date}T${time}`);
};
export const asMoment = readKind('a moment by RFC 3339 in UTC', isMoment);

export const asOneOf = <Value extends string>(values: readonly Value[]): ReadAs<Value> =>
  readKind(`one of ${values.join(', ')}`, (value): value is Value => values.some((one) => one === value));

export const orNull =
  <Value>(read: ReadAs<Value>): ReadAs<Value | null> =>
  (value, pointer, faults) =>
    value === null ? null : read(value, pointer, faults);

export const asList =
  <Value>(read: ReadAs<Value>): ReadAs<readonly Value[]> =>
  (value, pointer, faults) => {
    const list: readonly unknown[] | null = Array.isArray(value) ? value : null;
    const length = list?.length ?? MOST_ENTRIES + 1;
    if (list !== null && length <= MOST_ENTRIES)
      return Array.from({ length }, (_, index) => read(list[index], `${pointer}/${index}`, faults));
    faults.push({ pointer, code: 'wrong_kind', message: `It must be a list of ${MOST_ENTRIES} at most` });
    return [];
  };

type Members<Shape> = { readonly [Name in keyof Shape]-?: ReadAs<Exclude<Shape[Name], undefined>> };

/** An object's own members, as JSON has them: what it inherits says nothing. Others than these are left out. */
export const asObject =
  <Shape extends object>(members: Members<Shape>, optional: readonly (keyof Shape & string)[] = []): ReadAs<Shape> =>
  (value, pointer, faults) => {
    const copy: Record<string, unknown> = {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push({ pointer, code: 'wrong_kind', message: 'It must be an object' });
      return copy as Shape;
    }
    const given: Readonly<Record<string, unknown>> = { ...value };
    const reads: Readonly<Record<string, ReadAs<unknown>>> = members;
    for (const [name, read] of Object.entries(reads)) {
      const at = `${pointer}/${name}`;
      if (given[name] !== undefined && Object.hasOwn(given, name)) copy[name] = read(given[name], at, faults);
      else if (!optional.some((one) => one === name))
        faults.push({ pointer: at, code: 'missing', message: 'It is missing' });
    }
    return copy as Shape;
  };
