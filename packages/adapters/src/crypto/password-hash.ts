import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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

const SALT_LENGTH = 16;
const HASH_LENGTH = 32;
const HASH_FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Stored {
  readonly cost: ScryptCost;
  readonly salt: Uint8Array;
  readonly hash: Buffer;
}

const encoded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Unicode has several spellings of one character; keyboards differ in which they send. */
const scryptOf = (password: string, salt: Uint8Array, length: number, { ln, r, p }: ScryptCost): Promise<Buffer> => {
  const N = 2 ** ln;
  return derive(password.normalize('NFC'), salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) });
};

const parse = (text: string): Stored | undefined => {
  const [, ln = '', r = '', p = '', salt = '', hash = ''] = HASH_FORM.exec(text) ?? [];
  const stored = {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
  // Bounds of what is ever computed: a tampered row must not take the machine down.
  const { cost } = stored;
  const sane = cost.ln >= 1 && cost.ln <= 20 && cost.r >= 1 && cost.r <= 32 && cost.p >= 1 && cost.p <= 16;
  return sane && stored.hash.length >= 16 && stored.hash.length <= 64 ? stored : undefined;
};

/** `$scrypt$ln=17,r=8,p=1$salt$hash`: in the PHC string format, with base64 without padding. */
export const hashPassword = async (password: string, cost: ScryptCost): Promise<string> => {
  const salt = randomBytes(SALT_LENGTH);
  const hash = await scryptOf(password, salt, HASH_LENGTH, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encoded(salt)}$${encoded(hash)}`;
};

/** Whether the password is the one of the stored hash, by its own parameters; without a readable one false, at the cost of `cost`. */
export const verifyPassword = async (
  password: string,
  text: string | undefined,
  cost: ScryptCost,
): Promise<boolean> => {
  const stored = text === undefined ? undefined : parse(text);
  const against = stored ?? { cost, salt: Buffer.alloc(SALT_LENGTH), hash: Buffer.alloc(HASH_LENGTH) };
  const hash = await scryptOf(password, against.salt, against.hash.length, against.cost);
  const equal = timingSafeEqual(hash, against.hash);
  return equal && stored !== undefined;
};
