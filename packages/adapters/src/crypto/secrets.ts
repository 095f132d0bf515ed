import { createHash, randomBytes, randomFillSync, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { DomainError } from '@shipworthy/domain';
import type { PasswordAsker, Secrets } from '@shipworthy/domain/ports';

/** Secrets by Node's own cryptography. `cost` is what a password's hash costs; anything cheaper than the default is for tests. */
export const secrets = (options: { readonly cost?: ScryptCost } = {}): Secrets => {
  const cost = options.cost ?? DEFAULT_COST;
  const inTurn = passwordQueue(PASSWORD_QUEUE_BOUNDS);
  return {
    newApiKey,
    newToken: () => randomBytes(32).toString('base64url'),
    hash: (secret) => createHash('sha256').update(secret, 'utf8').digest('hex'),
    hashPassword: (password, asker, isWanted) =>
      inTurn(asker, async () => {
        await isWanted?.();
        return hashPassword(password, cost);
      }),
    verifyPassword: (password, stored, asker) => inTurn(asker, () => verifyPassword(password, stored, cost)),
  };
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'swk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** Bytes below this map evenly to the 62 characters. Others are dropped, or some characters would be likelier. */
const EVEN = 256 - (256 % ALPHABET.length);

/** Random base62 characters, each as likely as any other. `fill` puts random bytes into an array. */
export const randomBase62 = (length: number, fill: (bytes: Uint8Array) => void = randomFillSync): string => {
  let text = '';
  const bytes = new Uint8Array(length + 8);
  while (text.length < length) {
    fill(bytes);
    for (const byte of bytes) {
      if (byte < EVEN && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
};

/** CRC32 (IEEE 802.3) of the text's UTF-8 bytes as six base62 characters, most significant first, zeros in front. */
export const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

/** A new API key: `swk_`, 30 random base62 characters, 6 of checksum over all before. */
export const newApiKey = (): string => {
  const key = PREFIX + randomBase62(RANDOM_LENGTH);
  return key + checksumOf(key);
};

/** Whether a text can be an API key at all: tells a typing error from a key that is revoked or unknown. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY_FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** What one scrypt costs: N = 2^ln, block size r, parallelism p. Memory: 128 * N * r bytes. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The setting OWASP's password storage cheat sheet names first: 128 MiB each. */
export const DEFAULT_COST: ScryptCost = { ln: 17, r: 8, p: 1 };

/** The most memory that scrypt takes with this cost, in bytes. */
const memoryOf = ({ ln, r, p }: ScryptCost): number => 128 * r * (2 ** ln + p + 2);

/**
 * The most memory that checking a stored hash may take, in bytes, unless new hashes take more: 288 MiB, twice that of the default
 * and some more. A hash that asks for more counts as unreadable: a row that was tampered with must not take all memory.
 */
const MOST_MEMORY = 288 * 1024 * 1024;

const SALT_LENGTH = 16;
const HASH_LENGTH = 32;
const HASH_FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Stored {
  readonly cost: ScryptCost;
  readonly salt: Uint8Array;
  readonly hash: Buffer;
}

const encoded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Normalizes the password first, because keyboards differ in the Unicode spelling of a character. */
const scryptOf = (password: string, salt: Uint8Array, length: number, cost: ScryptCost): Promise<Buffer> => {
  const { ln, r, p } = cost;
  return derive(password.normalize('NFC'), salt, length, { N: 2 ** ln, r, p, maxmem: memoryOf(cost) });
};

/** Whether a stored hash may be checked: OpenSSL accepts its cost, and the check takes no more than is allowed. */
const isAllowedCost = (cost: ScryptCost, costOfNew: ScryptCost): boolean => {
  const { ln, r, p } = cost;
  // OpenSSL throws unless N < 2^(16 r).
  const isAccepted = ln >= 1 && ln < 16 * r && p >= 1;
  return isAccepted && r <= 32 && p <= 16 && memoryOf(cost) <= Math.max(MOST_MEMORY, memoryOf(costOfNew));
};

const parse = (text: string, costOfNew: ScryptCost): Stored | undefined => {
  const [, ln = '', r = '', p = '', salt = '', hash = ''] = HASH_FORM.exec(text) ?? [];
  const stored = {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
  return isAllowedCost(stored.cost, costOfNew) && stored.hash.length >= 16 && stored.hash.length <= 64
    ? stored
    : undefined;
};

/** `$scrypt$ln=17,r=8,p=1$salt$hash`: in the PHC string format, with base64 without padding. */
export const hashPassword = async (password: string, cost: ScryptCost): Promise<string> => {
  const salt = randomBytes(SALT_LENGTH);
  const hash = await scryptOf(password, salt, HASH_LENGTH, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encoded(salt)}$${encoded(hash)}`;
};

/** Whether a password matches a stored hash, by its parameters. Without a readable hash: false, after the same work. */
export const verifyPassword = async (
  password: string,
  text: string | undefined,
  cost: ScryptCost,
): Promise<boolean> => {
  const stored = text === undefined ? undefined : parse(text, cost);
  const against = stored ?? { cost, salt: Buffer.alloc(SALT_LENGTH), hash: Buffer.alloc(HASH_LENGTH) };
  const hash = await scryptOf(password, against.salt, against.hash.length, against.cost);
  const equal = timingSafeEqual(hash, against.hash);
  return equal && stored !== undefined;
};

/** How many pieces of work a queue runs at once, and how many may wait. */
interface PasswordQueueBounds {
  readonly atOnce: number;
  readonly waiting: number;
  /** This many places of the queue are reserved for known askers. */
  readonly keptForKnown: number;
  /** Most pieces of work of one asker that may wait. */
  readonly waitingOfOne: number;
}

/**
 * At most 60 unknown askers wait, the last one some 12 seconds, and longer while known ones come before it. Few may
 * wait of one network or account, so that it takes many of them to fill the queue.
 */
const PASSWORD_QUEUE_BOUNDS: PasswordQueueBounds = { atOnce: 2, waiting: 100, keptForKnown: 40, waitingOfOne: 4 };

/** Milliseconds after which an asker with too many in the queue may try again. */
const NEXT_TRY = 1000;

/**
 * Runs `atOnce` pieces of work at a time; others wait in order of arrival, known askers first. @throws DomainError
 * `unavailable` when the queue is full, `too-many-attempts` when the asker has `waitingOfOne` in it.
 */
export const passwordQueue = ({ atOnce, waiting: most, keptForKnown, waitingOfOne }: PasswordQueueBounds) => {
  const waiting: { readonly asker: PasswordAsker; readonly begin: () => void }[] = [];
  let inside = 0;
  const leave = (): void => {
    const first = waiting.findIndex(({ asker }) => asker.known);
    const [next] = waiting.splice(Math.max(0, first), 1);
    // The next in the queue takes over the place, so that a newcomer cannot overtake it.
    if (next === undefined) inside -= 1;
    else next.begin();
  };
  const requirePlace = ({ name, known }: PasswordAsker): void => {
    const ofKind = waiting.filter(({ asker }) => asker.known === known);
    const isFull = waiting.length >= most || (!known && ofKind.length >= most - keptForKnown);
    if (isFull) throw new DomainError('unavailable', 'Too many sign-ins at once; try again.');
    if (ofKind.filter(({ asker }) => asker.name === name).length >= waitingOfOne)
      throw new DomainError('too-many-attempts', 'Too many sign-ins at once; try again.', { retryAfterMs: NEXT_TRY });
  };
  const enter = async (asker: PasswordAsker): Promise<void> => {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    requirePlace(asker);
    await new Promise<void>((begin) => waiting.push({ asker, begin }));
  };
  return async <Result>(asker: PasswordAsker, work: () => Promise<Result>): Promise<Result> => {
    await enter(asker);
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
