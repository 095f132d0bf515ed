import type { Instant } from '../time.js';
import type { Axis } from './axis.js';
import { limitMs } from './policy.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Days of 400 years, of 100, of 4, and of one without a leap day. */
const DAYS_OF = { era: 146_097, century: 36_524, fourYears: 1_460, year: 365 } as const;
/** Days from 0000-03-01, where the eras begin, to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/**
 * Day of the proleptic Gregorian calendar, with years that begin on the first of March, so that a leap day is the last.
 * Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
 */
const dateOf = (daysSince1970: number): string => {
  const days = daysSince1970 + DAYS_BEFORE_1970;
  const era = Math.floor(days / DAYS_OF.era);
  const inEra = days - era * DAYS_OF.era;
  const leapDays =
    Math.floor(inEra / DAYS_OF.fourYears) - Math.floor(inEra / DAYS_OF.century) + Math.floor(inEra / (DAYS_OF.era - 1));
  const yearOfEra = Math.floor((inEra - leapDays) / DAYS_OF.year);
  const inYear = inEra - (DAYS_OF.year * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Five months from March on have 153 days.
  const monthFromMarch = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
};

/** A moment of the years 1 to 9999 for people, the minute it lies in: `{time: '14:03', date: '2026-11-21'}`, in UTC. */
export const utcMinute = (at: Instant): { readonly time: string; readonly date: string } => {
  const days = Math.floor(at / DAY);
  const minutes = Math.floor((at - days * DAY) / MINUTE);
  return { time: `${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`, date: dateOf(days) };
};

/** A moment of those years as it is sent: RFC 3339 with milliseconds, in UTC. */
export const momentForm = (at: Instant): string => {
  const { date, time } = utcMinute(at);
  const ms = at - Math.floor(at / MINUTE) * MINUTE;
  return `${date}T${time}:${padded(Math.floor(ms / 1000), 2)}.${padded(ms % 1000, 3)}Z`;
};

/** "1 issue", "2 issues". */
export const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

/** A limit of the policy in the minutes it is counted in, "138 minutes" for 2.3 hours, or in hours when these are whole. */
export const limitText = (hours: number): string => {
  const minutes = limitMs(hours) / MINUTE;
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
};

/** ", as of 14:03 UTC on 2026-11-21": ends a sentence about what has not been readable since. */
export const asOfText = (at: Instant): string => {
  const { time, date } = utcMinute(at);
  return `, as of ${time} UTC on ${date}`;
};

/** Why an axis has no score while issues are being imported; `untold` is what cannot be said yet. */
export const issuesMissing = (untold: string, asOf: Instant | null): string =>
  asOf === null
    ? `The issues of the release are being imported: ${untold} is known once all are read`
    : `Not all issues of the release are imported yet${asOfText(asOf)}`;

/** The axis as it begins a sentence. */
export const axisTitle = (axis: Axis): string => {
  switch (axis) {
    case 'scope':
      return 'Scope';
    case 'quality':
      return 'Quality';
    case 'ops':
      return 'Ops';
    case 'verification':
      return 'Verification';
    case 'stability':
      return 'Stability';
  }
};

const TEXTS: (string | undefined)[] = new Array<string | undefined>(10_001).fill(undefined);

/** Whole hundredths (0-10,000) as text: 6666 is "66.66", 8000 is "80". Texts are kept, since making one is slow. */
export const hundredthsText = (hundredths: number): string => {
  const known = TEXTS[hundredths];
  if (known !== undefined) return known;
  const text = String(hundredths / 100);
  TEXTS[hundredths] = text;
  return text;
};
