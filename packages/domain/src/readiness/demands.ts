import { type FindFaults, isCount, numberFaults, textFaults, unlessNull } from './faults.js';

/** The greatest weight of an axis. */
export const MAX_WEIGHT = 1000;
/** Ten years of 365 days. */
const MAX_HOURS = 87_600;

const hasTwoDecimals = (value: number): boolean => Math.round(value * 100) / 100 === value;
const isHours = (value: number): boolean => value > 0 && value <= MAX_HOURS;

/** Checks a whole number from `least` to `most`; `name` begins the messages. */
export const wholeNumberFaults = (name: string, least: number, most: number): FindFaults =>
  numberFaults((value) => {
    if (!Number.isInteger(value)) return ['not_whole', `${name} must be a whole number`];
    return value < least || value > most ? ['out_of_range', `${name} must be ${least} to ${most}`] : undefined;
  });

/** Checks a number from 0 to 100 with at most two decimals. */
export const percentageFaults = (name: string): FindFaults =>
  numberFaults((value) => {
    if (!(value >= 0 && value <= 100)) return ['out_of_range', `${name} must be 0 to 100`];
    return hasTwoDecimals(value) ? undefined : ['too_many_decimals', `${name} must have at most two decimals`];
  });

/** Checks a span of hours, or null. */
export const hoursFaults = (name: string): FindFaults =>
  unlessNull(
    numberFaults(
      (value) =>
        isHours(value) ? undefined : ['out_of_range', `${name} must be above 0 and at most ${MAX_HOURS} hours`],
      'a number or null',
    ),
  );

/** Checks a weight fast: a whole number from 0 to `MAX_WEIGHT`. */
export const isWeight = (value: number): boolean => isCount(value) && value <= MAX_WEIGHT;

/** Checks fast what `percentageFaults` checks. */
export const isPercentage = (value: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= 100 && hasTwoDecimals(value);

/** Checks fast what `hoursFaults` checks. */
export const areHours = (value: number | null): boolean =>
  value === null || (typeof value === 'number' && isHours(value));

/** Checks a text that must be one of `values`. */
export const choiceFaults = (name: string, values: readonly unknown[]): FindFaults => {
  const either = values.join(' or ');
  return textFaults(
    (value) => (values.includes(value) ? undefined : ['unknown_value', `${name} must be ${either}`]),
    either,
  );
};
