const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  91 * DAY,
  365 * DAY,
] as const;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** A moment on a time axis, in milliseconds since the epoch, and how it is written there. */
export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

/** Round moments of the reader's own place within a span, `most` or fewer: full minutes, hours or days. */
export const timeTicks = (from: number, to: number, most: number): readonly TimeTick[] => {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const first = new Date(from);
  first.setHours(0, 0, 0, 0);
  const ticks: TimeTick[] = [];
  for (let index = 0; ; index += 1) {
    // By the calendar, since a day may have 23 or 25 hours.
    const next = new Date(first);
    if (step >= DAY) next.setDate(first.getDate() + (index * step) / DAY);
    const at = step >= DAY ? next.getTime() : first.getTime() + index * step;
    if (at > to) return ticks;
    const isMidnight = new Date(at).getHours() + new Date(at).getMinutes() === 0;
    if (at >= from) ticks.push({ at, text: isMidnight ? dayOfYear.format(at) : timeOfDay.format(at) });
  }
};
