const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses between the tries of a delivery, which last 75 hours and a half. Source: Standard Webhooks 1.0.0, "Deliverability and reliability". */
export const RETRY_PAUSES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The longest a receiver is given when it asks to wait, in milliseconds: a day. */
export const LONGEST_ASKED = 24 * HOUR;

/**
 * How long to wait after so many tries (1 and more), in milliseconds; null: it is not tried again.
 * @param asked how long the receiver asked to wait; it is given that, a day at most; null: it did not
 * @param spread moves the pause of the schedule a little, so that many do not come back at once
 */
export const waitAfter = (tries: number, asked: number | null, spread: (ms: number) => number): number | null => {
  const pause = RETRY_PAUSES[tries - 1];
  return pause === undefined ? null : Math.max(Math.round(spread(pause)), Math.min(asked ?? 0, LONGEST_ASKED));
};
