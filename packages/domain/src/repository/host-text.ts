/** Control characters, line ends and what shows a text in another order than it has (UAX #9). */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** A character with a shape; five letters and symbols are drawn as blanks. */
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
/** An address of the web; no @ before its path: no user and no password stand in it. */
const HTTP = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/iu;
const LONGEST_URL = 2048;

/** One line of at most `limit` characters: what is no text becomes a space, nothing is cut within a character. Empty when nothing in it can be seen. */
export const lineOf = (text: string, limit = 200): string => {
  const line = [...text.replace(UNFIT, ' ').trim()].slice(0, limit).join('').trimEnd();
  return VISIBLE.test(line) ? line : '';
};

/** The same; null when nothing is left. */
export const lineOrNull = (text: string | null, limit = 200): string | null =>
  text === null ? null : lineOf(text, limit) || null;

/** The address, if it is one of the web, holds no user or password, and is of at most 2048 characters; else null. */
export const webAddress = (url: string | null): string | null =>
  url !== null && url.length <= LONGEST_URL && HTTP.test(url) && url.search(UNFIT) === -1 ? url : null;
