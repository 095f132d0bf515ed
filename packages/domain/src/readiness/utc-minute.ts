import type { Instant } from '../instant.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Days of 400 years, of 100, of 4, and of one without a leap day. */
const DAYS_OF = { era: 146_097, century: 36_524, fourYears: 1_460, year: 365 } as const;
/** From 0000-03-01, where the eras begin, to 1970-01-01. */
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
