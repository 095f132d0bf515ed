import type { Instant, Interval } from '@shipworthy/domain';

let lastMoment = Number.NaN;
let lastText = '';

/** A moment on the wire: RFC 3339 in UTC with milliseconds. */
export const wireMoment = (at: Instant): string => {
  // Most moments that are written are those of the same millisecond.
  if (at !== lastMoment) {
    lastText = new Date(at).toISOString();
    lastMoment = at;
  }
  return lastText;
};

/** The same for a moment that may not have come: null stays null. */
export const wireMomentOrNull = (at: Instant | null): string | null => (at === null ? null : wireMoment(at));

/** The moment a valid timestamp names; what is finer than a millisecond is cut off. */
export const momentOf = (timestamp: string): Instant => Date.parse(timestamp);

/** The same for a timestamp that may be missing or null: null. */
export const momentOrNull = (timestamp: string | null | undefined): Instant | null =>
  timestamp === undefined || timestamp === null ? null : momentOf(timestamp);

/** The interval a list is asked for, `to` itself excluded; undefined when neither end is given. */
export const intervalOf = (from: string | undefined, to: string | undefined): Interval | undefined =>
  from === undefined && to === undefined ? undefined : { from: momentOrNull(from) ?? 0, to: momentOrNull(to) };
