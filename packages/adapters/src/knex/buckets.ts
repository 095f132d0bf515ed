/** Length of an hour in milliseconds. */
export const HOUR = 3_600_000;

/** The lengths of the buckets deployments are counted in, in hours. */
export const BUCKET_HOURS = [24, 1] as const;

/** The bucket of so many hours that holds the moment, counted from 1970. */
export const bucketOf = (at: number, hours: number): number => Math.floor(at / (hours * HOUR));

/** As SQL: the whole number of lengths in a value, rounded down, also below zero. */
export const floorOf = (value: string, length: number): string =>
  `((${value}) - (((${value}) % ${length}) + ${length}) % ${length}) / ${length}`;

/** As SQL: the whole number of lengths in a value, rounded up. */
export const ceilingOf = (value: string, length: number): string => floorOf(`${value} + ${length - 1}`, length);

/** Stands for the end of an open window: later than any moment there is, and the beginning of an hour and of a day. */
export const FOREVER = 4_000_000 * 24 * HOUR;
