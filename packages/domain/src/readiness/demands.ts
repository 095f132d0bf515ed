import { type FaultList, isCount } from './faults.js';

/** The greatest weight of an axis. */
export const MAX_WEIGHT = 1000;
/** Ten years of 365 days. */
const MAX_HOURS = 87_600;

const hasTwoDecimals = (value: number): boolean => Math.round(value * 100) / 100 === value;
const isHours = (value: number): boolean => value > 0 && value <= MAX_HOURS;

/** Finds a value that is no whole number from `least` to `most`. */
export const wholeNumberFaults = (
  faults: FaultList,
  pointer: string,
  name: string,
  value: unknown,
  least: number,
  most: number,
): void => {
  if (typeof value !== 'number') faults.misfit(pointer, value, 'a number');
  else if (!Number.isInteger(value)) faults.add(pointer, 'not_whole', `${name} must be a whole number`);
  else if (value < least || value > most) faults.add(pointer, 'out_of_range', `${name} must be ${least} to ${most}`);
};

/** Finds a value that is no number from 0 to 100 with at most two decimals. */
export const percentageFaults = (faults: FaultList, pointer: string, name: string, value: unknown): void => {
  if (typeof value !== 'number') faults.misfit(pointer, value, 'a number');
  else if (!(value >= 0 && value <= 100)) faults.add(pointer, 'out_of_range', `${name} must be 0 to 100`);
  else if (!hasTwoDecimals(value)) faults.add(pointer, 'too_many_decimals', `${name} must have at most two decimals`);
};

/** Finds a value that is neither null nor a span of hours. */
export const hoursFaults = (faults: FaultList, pointer: string, name: string, value: unknown): void => {
  if (value === null) return;
  if (typeof value !== 'number') faults.misfit(pointer, value, 'a number or null');
  else if (!isHours(value))
    faults.add(pointer, 'out_of_range', `${name} must be above 0 and at most ${MAX_HOURS} hours`);
};

/** A fast check of the same. */
export const isWeight = (value: number): boolean => isCount(value) && value <= MAX_WEIGHT;

/** A fast check of the same. */
export const isPercentage = (value: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= 100 && hasTwoDecimals(value);

/** A fast check of the same. */
export const areHours = (value: number | null): boolean =>
  value === null || (typeof value === 'number' && isHours(value));
