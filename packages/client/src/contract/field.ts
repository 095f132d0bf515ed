import { parsedUrl } from './path.js';
import { record, type Schema } from './schema.js';

/** Largest integer the interface takes anywhere. */
export const MAX_INTEGER = 2_147_483_647;

export const Id = {
  type: 'string',
  format: 'uuid',
  description: 'UUID.',
  examples: ['01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e'],
} as const satisfies Schema;

/** One line of text for people: 1-200 characters, not all of them blank, without control characters. */
export const Text = { type: 'string', minLength: 1, maxLength: 200, format: 'text' } as const satisfies Schema;

/** A team, project or release where another record names it. */
export const Named = record({ properties: { id: Id, name: Text } });

export const Timestamp = {
  type: 'string',
  format: 'timestamp',
  minLength: 20,
  maxLength: 40,
  description: 'RFC 3339 date and time with Z or an offset; answers are in UTC with milliseconds.',
  examples: ['2026-11-20T09:30:00.000Z'],
} as const satisfies Schema;

export const HttpUrl = {
  type: 'string',
  format: 'http-url',
  minLength: 1,
  maxLength: 2048,
  description: 'Absolute http or https address without user and password.',
  examples: ['https://ci.acme.dev/runs/4711'],
} as const satisfies Schema;

export const CommitSha = {
  type: 'string',
  pattern: '^[0-9a-fA-F]{7,64}$',
  minLength: 7,
  maxLength: 64,
  description: 'Commit hash, 7-64 hexadecimal characters.',
  examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
} as const satisfies Schema;

export const Email = {
  type: 'string',
  format: 'email',
  minLength: 3,
  maxLength: 254,
  description:
    'E-mail address; compared after NFKC and in lower case. A new account or invitation must have one without invisible characters, and without other dots than full stops.',
  examples: ['ada@acme.dev'],
} as const satisfies Schema;

export const EmailVerified = {
  type: 'boolean',
  description:
    "Whether the address is proved to be the person's: an administrator bound an invitation to it, or vouched for it.",
} as const satisfies Schema;

export const MixedScripts = {
  type: 'boolean',
  description:
    'Whether address or name has letters of two scripts that look alike (Latin, Cyrillic, Greek, Armenian, Cherokee): it may ' +
    'be made to be taken for another one.',
} as const satisfies Schema;

export const NewPassword = {
  type: 'string',
  format: 'characters',
  minLength: 12,
  maxLength: 200,
  description: 'Password of 12-200 characters.',
} as const satisfies Schema;

export const Count = { type: 'integer', minimum: 0, maximum: MAX_INTEGER } as const satisfies Schema;

export const DurationSeconds = {
  type: 'number',
  minimum: 0,
  maximum: MAX_INTEGER,
  description: 'How long it took, in seconds, as reported.',
  examples: [94.5],
} as const satisfies Schema;

export const Version = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_INTEGER,
  description: 'Counts the changes, from 1; what `If-Match` names.',
} as const satisfies Schema;

export const Score = {
  type: 'number',
  minimum: 0,
  maximum: 100,
  description: 'On the scale 0-100, rounded down to two decimals.',
} as const satisfies Schema;

export const Rate = { type: 'number', minimum: 0, maximum: 1 } as const satisfies Schema;

export const ExternalId = {
  type: 'string',
  format: 'text',
  minLength: 1,
  maxLength: 255,
  description:
    'The name of the record in the system that sends it, unique within the project. Sent again with the same content it is a duplicate, with other content it is refused. Not `github:deployment:...`, `github:checks:...`, `github:workflows:...` and the same of any other host: so is named what is imported from there.',
} as const satisfies Schema;

/** The id at the repository host, for records that may be imported. */
export const HostIdOrNull = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 255,
  format: 'text',
  description: 'Its name at the repository host, where it is kept; null: it was made here.',
  examples: ['github:I_kwDOA1b2c3'],
} as const satisfies Schema;

/** `Id` and the fields below it, each for a member that may be null. */
export const IdOrNull = { ...Id, type: ['string', 'null'] } as const satisfies Schema;
export const EmailOrNull = { ...Email, type: ['string', 'null'] } as const satisfies Schema;
export const TextOrNull = { ...Text, type: ['string', 'null'] } as const satisfies Schema;
export const TimestampOrNull = { ...Timestamp, type: ['string', 'null'] } as const satisfies Schema;
export const HttpUrlOrNull = { ...HttpUrl, type: ['string', 'null'] } as const satisfies Schema;
export const CommitShaOrNull = { ...CommitSha, type: ['string', 'null'] } as const satisfies Schema;
export const CountOrNull = { ...Count, type: ['integer', 'null'] } as const satisfies Schema;
export const DurationSecondsOrNull = { ...DurationSeconds, type: ['number', 'null'] } as const satisfies Schema;
export const ScoreOrNull = { ...Score, type: ['number', 'null'] } as const satisfies Schema;

const UNFIT = /[\p{Cc}\p{Cs}]/u;
/** Bidirectional controls (UAX #9) that embed, override or isolate: they change the order in which a text is shown. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/u;
/** A letter, digit, punctuation mark or symbol that has a shape; five letters and symbols are drawn as blanks. */
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;
const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const characters = (value: string): boolean => !UNFIT.test(value);
/** Accepts the empty text: `minLength` says whether a text may be empty. */
const text = (value: string): boolean =>
  value === '' || (characters(value) && !REORDERING.test(value) && VISIBLE.test(value));

/** The first moment of the year 10000, in milliseconds: answers have four digits for the year. */
const TOO_LATE = 253_402_300_800_000;

const timestamp = (value: string): boolean => {
  if (!TIMESTAMP.test(value)) return false;
  const year = Number(value.slice(0, 4));
  const day = Number(value.slice(8, 10));
  // Every month has 28 days; only a later day must be looked up.
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
  /** `characters` for people to read: with a visible one, and without controls that change the order of display. */
  text,
  uuid: (value: string): boolean => UUID.test(value),
  email: (value: string): boolean => characters(value) && !REORDERING.test(value) && EMAIL.test(value),
  /** RFC 3339 with Z or an offset, a day that exists, seconds 00-59, in UTC from 1970 to 9999. */
  timestamp,
  'http-url': httpUrl,
} as const satisfies Readonly<Record<string, (value: string) => boolean>>;
