import { parsedUrl } from './path.js';

const UNFIT = /[\p{Cc}\p{Cs}]/u;
/** Embedding, overriding and isolating controls of the bidirectional algorithm (UAX #9): they show a text in another order than it has. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/u;
/** A letter, digit, punctuation mark or symbol that has a shape; five letters and symbols are drawn as blanks. */
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;
const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const characters = (value: string): boolean => !UNFIT.test(value);
/** Whether a text may be empty is for its length to say. */
const text = (value: string): boolean =>
  value === '' || (characters(value) && !REORDERING.test(value) && VISIBLE.test(value));

/** The first moment of the year 10000, in milliseconds: answers have four digits for the year. */
const TOO_LATE = 253_402_300_800_000;

const timestamp = (value: string): boolean => {
  if (!TIMESTAMP.test(value)) return false;
  const year = Number(value.slice(0, 4));
  const day = Number(value.slice(8, 10));
  // Every month has 28 days; only a later one has to be looked for.
  if (day > 28 && day > new Date(Date.UTC(year, Number(value.slice(5, 7)), 0)).getUTCDate()) return false;
  // An offset can carry a date over the first or the last year there is.
  if (year > 1970 && year < 9999) return true;
  const at = Date.parse(value);
  return at >= 0 && at < TOO_LATE;
};

const httpUrl = (value: string): boolean => {
  if (!characters(value) || REORDERING.test(value) || !/^https?:\/\/[^\s\\]+$/iu.test(value)) return false;
  const url = parsedUrl(value);
  // An address is shown to all who may read it: a password in it would be, too.
  return url !== undefined && url.hostname !== '' && url.username === '' && url.password === '';
};

/** What each `format` of the contract accepts. The validator is given exactly these. */
export const FORMATS = {
  /** Well-formed Unicode without control characters or line breaks, as in passwords and tokens. */
  characters,
  /** The same, for people to read: something in it can be seen, and nothing shows it in another order. */
  text,
  uuid: (value: string): boolean => UUID.test(value),
  email: (value: string): boolean => characters(value) && !REORDERING.test(value) && EMAIL.test(value),
  /** RFC 3339 with Z or an offset, a day that exists, seconds 00-59, in UTC from 1970 to 9999. */
  timestamp,
  'http-url': httpUrl,
} as const satisfies Readonly<Record<string, (value: string) => boolean>>;
