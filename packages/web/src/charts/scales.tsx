import { DATE_LOCALES, lazily } from '../wording/moments.js';

/** Maps one range of numbers to another in proportion; values outside stay outside. A domain without extent maps to the start. */
export const linearScale = (
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): ((value: number) => number) => {
  const extent = to - from;
  return (value) => (extent === 0 ? start : start + ((value - from) / extent) * (end - start));
};

const NICE = [1, 2, 5, 10] as const;

/** Round values from 0 to at least `most`, five steps or fewer; whole numbers only. */
export const countTicks = (most: number): readonly number[] => {
  const rough = Math.max(1, most / 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (NICE.find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
};

/** The width that the text of a moment takes, in CSS pixels. */
const TICK_WIDTH = 90;

interface TimeAxisProps {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly x: (at: number) => number;
  /** Where the drawing begins and ends. */
  readonly left: number;
  readonly right: number;
  /** The position of the texts. */
  readonly y: number;
}

/** The texts of round moments under a drawing. */
export const TimeAxis = ({ from, to, x, left, right, y }: TimeAxisProps) => (
  <>
    {timeTicks(from, to, Math.max(1, Math.floor((right - left) / TICK_WIDTH))).map(({ at, text }) => (
      <text key={at} class="chart-text" x={Math.min(Math.max(x(at), left + 16), right - 18)} y={y} text-anchor="middle">
        {text}
      </text>
    ))}
  </>
);

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

const timeOfDay = lazily(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }));
const dayOfYear = lazily(() => new Intl.DateTimeFormat([...DATE_LOCALES], { day: 'numeric', month: 'short' }));

/** A moment on a time axis, in milliseconds since the epoch, and how it is written there. */
interface TimeTick {
  readonly at: number;
  readonly text: string;
}

/** Returns round moments within a span in the reader's time zone, `most` + 1 or fewer: full minutes, hours or days. */
export const timeTicks = (from: number, to: number, most: number): readonly TimeTick[] => {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const first = new Date(from);
  first.setHours(0, 0, 0, 0);
  const ticks: TimeTick[] = [];
  for (let index = 0; ; index += 1) {
    // Steps by calendar days, since a day may have 23 or 25 hours.
    const next = new Date(first);
    if (step >= DAY) next.setDate(first.getDate() + (index * step) / DAY);
    const at = step >= DAY ? next.getTime() : first.getTime() + index * step;
    if (at > to) return ticks;
    const isMidnight = new Date(at).getHours() + new Date(at).getMinutes() === 0;
    if (at >= from) ticks.push({ at, text: isMidnight ? dayOfYear().format(at) : timeOfDay().format(at) });
  }
};
