import type { Instant } from '../time.js';
import type { Axis } from './axis.js';
import { limitMs } from './policy.js';

const MINUTE = 60_000;

/** A moment of the years 1 to 9999 as it is sent: RFC 3339 with milliseconds, in UTC. */
export const momentForm = (at: Instant): string => new Date(at).toISOString();

/** A moment of the years 1 to 9999 for people, as the UTC minute it lies in: `{time: '14:03', date: '2026-11-21'}`. */
export const utcMinute = (at: Instant): { readonly time: string; readonly date: string } => {
  const moment = momentForm(at);
  return { time: moment.slice(11, 16), date: moment.slice(0, 10) };
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

/** Why an axis has no score while issues are being imported; `untold` is what is not known yet. */
export const issuesMissing = (untold: string, asOf: Instant | null): string =>
  asOf === null
    ? `The issues of the release are being imported: ${untold} is known once all are read`
    : `Not all issues of the release are imported yet${asOfText(asOf)}`;

/** The name of one of the five axes, written as at the beginning of a sentence. */
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
