/** A moment: whole milliseconds since 1970-01-01T00:00:00Z. The domain never reads a clock; moments are handed in. */
export type Instant = number;

/** The half-open interval `[from, to)`; `to: null` means open until now. */
export interface Interval {
  readonly from: Instant;
  readonly to: Instant | null;
}

/** Whether a moment lies in the interval: exactly `from` is inside, exactly `to` is outside. */
export const contains = (interval: Interval, at: Instant): boolean =>
  at >= interval.from && (interval.to === null || at < interval.to);

/** How far ahead of the service's clock a reported moment may lie, in milliseconds: clocks of pipelines drift. */
export const ALLOWED_CLOCK_LEAD = 5 * 60_000;
