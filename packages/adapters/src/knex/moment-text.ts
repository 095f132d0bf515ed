import type { Instant } from '@shipworthy/domain';

const DAY = 86_400_000;

const padded = (count: number, digits: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));

const TWO_DIGITS = padded(60, 2);
const THREE_DIGITS = padded(1000, 3);

/**
 * Writes moments of the years 0 to 9999 as `Date#toISOString` does, which takes three times as long: moments that come
 * together mostly lie on the same days.
 */
export const momentTexts = (): ((at: Instant) => string) => {
  let day = Number.NaN;
  let date = '';
  return (at) => {
    const itsDay = Math.floor(at / DAY);
    if (itsDay !== day) {
      date = new Date(itsDay * DAY).toISOString().slice(0, 11);
      day = itsDay;
    }
    const milliseconds = at - itsDay * DAY;
    const seconds = Math.floor(milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    const time = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
    return `${date}${time}.${THREE_DIGITS[milliseconds % 1000]}Z`;
  };
};
