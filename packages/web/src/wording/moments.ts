import { isolated } from './isolate.js';
import { countOf } from './numbers.js';

const STEPS = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
] as const;

/** Returns a function that makes the value when it is first called. */
export const lazily = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Dates are written as the reader's browser writes them; sentences, and moments relative to now, are English. */
export const DATE_LOCALES: readonly string[] = typeof document === 'undefined' ? ['en'] : navigator.languages;

// The first formatter of a page loads the browser's language data, which takes a slow phone 100 ms. Counts and moments relative to
// now need none; tooltips and the printed line are written after the first picture.
const dateTime = lazily(() => new Intl.DateTimeFormat([...DATE_LOCALES], { dateStyle: 'medium', timeStyle: 'short' }));
const dateOnly = lazily(() => new Intl.DateTimeFormat([...DATE_LOCALES], { dateStyle: 'medium' }));

const monthsOf = (date: Date): number => 12 * date.getFullYear() + date.getMonth();

/** Units that have a word for the one before and the one after the present; `numberOf` numbers them by the reader's calendar. */
const LAST_AND_NEXT: {
  readonly [unit in (typeof STEPS)[number][1]]?: {
    readonly words: readonly [before: string, after: string];
    readonly numberOf: (date: Date) => number;
  };
} = {
  day: {
    words: ['yesterday', 'tomorrow'],
    numberOf: (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000,
  },
  month: { words: ['last month', 'next month'], numberOf: monthsOf },
  year: { words: ['last year', 'next year'], numberOf: (date) => date.getFullYear() },
};

/**
 * `3 minutes ago`, `in 2 days`, `yesterday`; `now` in milliseconds since the epoch. What is one to two units away and not in the
 * next unit of the calendar is counted in the smaller unit: 47 hours ago may be the day before yesterday.
 */
export const agoText = (at: string | number, now: number = Date.now()): string => {
  const date = new Date(at);
  const seconds = Math.round((date.getTime() - now) / 1000);
  const length = Math.abs(seconds);
  if (length < 10) return 'just now';
  const found = STEPS.findIndex(([limit]) => length < limit);
  const counted = (index: number): string => {
    const [, unit, size] = STEPS[index] ?? STEPS[5];
    const text = countOf(Math.trunc(length / size), unit);
    return seconds < 0 ? `${text} ago` : `in ${text}`;
  };
  const [, unit, size] = STEPS[found] ?? STEPS[5];
  const calendar = length < 2 * size ? LAST_AND_NEXT[unit] : undefined;
  if (calendar === undefined) return counted(found);
  const { words, numberOf } = calendar;
  const between = numberOf(date) - numberOf(new Date(now));
  if (between === Math.sign(seconds)) return words[seconds < 0 ? 0 : 1];
  return counted(found - 1);
};

/** Date and time in the reader's time zone and language. */
export const momentText = (at: string | number): string => isolated(dateTime().format(new Date(at)));

export const dateText = (at: string | number): string => isolated(dateOnly().format(new Date(at)));

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The calendar day of a moment in the reader's time zone, as a date field has it: `2026-12-05`. */
export const localDayOf = (at: string | number): string => {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
};

/**
 * A moment of a calendar day in the reader's time zone, as ISO text; a text that is no day is returned unchanged, for
 * the server to refuse.
 * @param time by the reader's clock; noon is within the same day in most time zones
 */
export const momentOfLocalDay = (day: string, time = '12:00:00'): string => {
  const at = Date.parse(`${day}T${time}`);
  return Number.isNaN(at) ? day : new Date(at).toISOString();
};

/** The calendar day after another one; a text that is no day stays as it is. */
export const dayAfter = (day: string): string => {
  const date = new Date(`${day}T12:00:00`);
  if (Number.isNaN(date.getTime())) return day;
  date.setDate(date.getDate() + 1);
  return localDayOf(date.getTime());
};

/** A moment by the reader's clock, as a field of date and time has it: `2026-12-05T14:30:00`; empty for what is no moment. */
export const localTimeOf = (at: string): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${localDayOf(at)}T${time}`;
};

/** The moment of a text from a field of date and time, as ISO text; empty for what is no moment. */
export const momentOfLocalTime = (text: string): string => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
};

const withRest = (whole: string, rest: number, unit: string): string =>
  rest === 0 ? whole : `${whole} ${rest} ${unit}`;

/** `42 s`, `3 min`, `3 min 5 s`, `2 h 4 min`. */
export const durationText = (seconds: number): string => {
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3_600) return withRest(`${Math.floor(rounded / 60)} min`, rounded % 60, 's');
  return withRest(`${Math.floor(rounded / 3_600)} h`, Math.floor((rounded % 3_600) / 60), 'min');
};

const DAY_SECONDS = 86_400;

/** `42 s`, `2 h 4 min`, `12 days`: lengths that may be those of a whole release. */
export const longText = (seconds: number): string => {
  if (seconds < 2 * DAY_SECONDS) return durationText(seconds);
  return `${Math.round(seconds / DAY_SECONDS)} days`;
};

/** `3 hours`, `1 day`: how long something has lasted, in its largest unit. */
export const lastingText = (seconds: number): string => {
  const [, unit, size] = STEPS.find(([limit]) => seconds < limit) ?? STEPS[5];
  return countOf(Math.max(0, Math.trunc(seconds / size)), unit);
};
