const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;
const HTTP = /^https?:\/\/[^\s\\]+$/iu;
const LONGEST_URL = 2048;

/** One line of at most `limit` characters: what is no text becomes a space, and nothing is cut within a character. May be empty. */
export const lineOf = (text: string, limit = 200): string => {
  const line = text.replace(UNFIT, ' ').trim();
  return [...line].slice(0, limit).join('').trimEnd();
};

/** The same; null when nothing is left. */
export const lineOrNull = (text: string | null, limit = 200): string | null =>
  text === null ? null : lineOf(text, limit) || null;

/** The address, if it is one of the web and of at most 2048 characters; else null. */
export const webAddress = (url: string | null): string | null =>
  url !== null && url.length <= LONGEST_URL && HTTP.test(url) && url.search(UNFIT) === -1 ? url : null;
