/** Characters of scripts that are written from right to left, and the invisible marks that act like them. */
const RIGHT_TO_LEFT =
  '[\\u0590-\\u08ff\\u200f\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
const HAS_SOME = new RegExp(RIGHT_TO_LEFT, 'u');
/** From the first such character to the last one before a Latin letter. */
const STRETCHES = new RegExp(`${RIGHT_TO_LEFT}(?:[^A-Za-z]*${RIGHT_TO_LEFT})*`, 'gu');
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * A name as a part of a sentence: with marks around it (UAX #9) that keep a name from right to left from moving the words and
 * numbers beside it. A name that cannot move anything stays as it is. Elements hold names in `<bdi>` instead.
 */
export const isolated = (name: string): string => {
  const plain = name.replace(CONTROLS, '');
  return HAS_SOME.test(plain) ? FIRST_STRONG_ISOLATE + plain + POP_ISOLATE : plain;
};

/** A sentence from the server, in which names are not marked: each stretch from right to left is isolated. */
export const withIsolatedNames = (sentence: string): string =>
  sentence.includes(FIRST_STRONG_ISOLATE)
    ? sentence
    : sentence.replace(STRETCHES, (stretch) => FIRST_STRONG_ISOLATE + stretch + POP_ISOLATE);
