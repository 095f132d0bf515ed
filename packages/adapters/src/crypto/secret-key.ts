import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { Instant, PageKey } from '@shipworthy/domain';
import { DEFAULT_COST, type ScryptCost } from './secrets.js';

const KEY_LENGTH = 32;

/**
 * A key of 32 bytes for one purpose, by HKDF-SHA-256 (RFC 5869) from the server's secret key, so that no two purposes
 * ever share a key. RangeError when the secret key has less than 32 bytes.
 */
export const derivedKey = (secretKey: Uint8Array, purpose: string): Buffer => {
  if (secretKey.length < KEY_LENGTH) throw new RangeError(`the secret key needs at least ${KEY_LENGTH} bytes`);
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), `shipworthy ${purpose}`, KEY_LENGTH));
};

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
const SALT_LENGTH = 32;

/** Returns a new random salt, as base64url. It is stored with the data; without it, a guessed secret is no use. */
export const newSalt = (): string => randomBytes(SALT_LENGTH).toString('base64url');

/** Derives a key of 32 bytes, by scrypt, from a secret that can be guessed. `cost` is lower in tests only. */
export const stretchedKey = (text: string, salt: string, { ln, r, p }: ScryptCost = DEFAULT_COST): Promise<Buffer> => {
  const N = 2 ** ln;
  return derive(text, Buffer.from(salt, 'base64url'), KEY_LENGTH, { N, r, p, maxmem: 128 * r * (N + p + 2) });
};

/** The least entropy of a secret key, in bits. */
export const ENOUGH_BITS = 128;

const HEX = /^([\da-f-]+|[\dA-F-]+)$/;
const RUN = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}+/uy;
const ONE_OF_26 = Math.log2(26);
const ONE_OF_10 = Math.log2(10);
/** Bits of a word: people choose one of some 256 likely words, or one of 8,000 within other characters. */
const WORD_BITS = 8;
const INNER_WORD_BITS = 13;
/** Most letters that count as one word. */
const WORD_LENGTH = 8;
/** Shorter runs of letters of one case count as random letters; random text rarely has longer ones. */
const SHORTEST_WORD = 4;
/** This many characters that appeared before in the same order count as a repetition. */
const SHORTEST_REPETITION = 6;
const REPETITION_BITS = 8;

/** A part of a text: its number of characters, and their entropy in bits. */
type Part = readonly [length: number, bits: number];

const repetitionAt = (text: string, at: number): number => {
  let length = 0;
  while (at + length < text.length && text.slice(0, at + length).includes(text.slice(at, at + length + 1))) length += 1;
  return length;
};

/** The part of the run before the first repetition of earlier text. */
const beforeRepetition = (text: string, at: number, run: string): string => {
  const places = Array.from(run, (_, place) => place).slice(1);
  const end = places.find((place) => repetitionAt(text, at + place) >= SHORTEST_REPETITION);
  return run.slice(0, end);
};

/** Whether the character goes on with a sequence such as `aaaa`, `1234` or `dcba`. */
const continues = (text: string, at: number): boolean => {
  const step = (place: number): number => text.charCodeAt(place) - text.charCodeAt(place - 1);
  return at > 2 && Math.abs(step(at)) <= 1 && step(at) === step(at - 1) && step(at) === step(at - 2);
};

const hexPart = (text: string, at: number): Part => {
  if (text[at] === '-') return [1, 0];
  return [1, continues(text, at) ? 1 : 4];
};

const lettersPart = (text: string, at: number, run: string): Part => {
  const letters = run.length * ONE_OF_26;
  const words = Math.ceil(run.length / WORD_LENGTH);
  const alone = /(^|[^\p{L}\d])$/u.test(text.slice(0, at)) && /^($|[^\p{L}\d])/u.test(text.slice(at + run.length));
  if (alone) return [run.length, Math.min(letters, words * WORD_BITS)];
  return [run.length, run.length < SHORTEST_WORD ? letters + 1 : Math.min(letters, words * INNER_WORD_BITS)];
};

const anyPart = (text: string, at: number): Part => {
  RUN.lastIndex = at;
  const run = RUN.exec(text)?.[0];
  if (run !== undefined) return lettersPart(text, at, beforeRepetition(text, at, run));
  if (continues(text, at)) return [1, 1];
  const character = text.charAt(at);
  if (/\d/.test(character)) return [1, ONE_OF_10];
  return [1, text.indexOf(character) < at ? 1 : 3];
};

/**
 * Estimates the bits of a text, rather too few than too many: random hex and base64 count nearly in full; words, sequences and
 * repetitions, which an attacker tries first, count little. A text of 32 random bytes has more than `ENOUGH_BITS`.
 */
export function estimatedBits(text: string): number {
  const partAt = HEX.test(text) ? hexPart : anyPart;
  let bits = 0;
  let at = 0;
  while (at < text.length) {
    const repetition = repetitionAt(text, at);
    const [length, worth] = repetition < SHORTEST_REPETITION ? partAt(text, at) : [repetition, REPETITION_BITS];
    bits += worth;
    at += length;
  }
  return bits;
}

const ALGORITHM = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const FORM = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/;

/** A key and its name, which is written into what it seals: 1-64 letters, digits, `_`, `-`. */
interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Encrypts secrets that must be read again, such as the tokens of a repository host. */
interface Sealer {
  /** Encrypts a secret for one `context`, such as its owner; it opens with no other context. */
  seal(secret: string, context: string): string;
  /** The secret; undefined when the sealed text was changed, belongs to another context, or its key is no longer known. */
  unseal(sealed: string, context: string): string | undefined;
  /** Whether a text was sealed with another key than the present one and should be sealed again. */
  isOutdated(sealed: string): boolean;
}

/**
 * AES-256-GCM with a random 96-bit nonce. The first key seals, any key opens. To rotate: put a new key in front, seal
 * again what is outdated, then drop the old key. RangeError for no key, a wrong length, or a malformed or repeated id.
 */
export const sealer = (keys: readonly SealingKey[]): Sealer => {
  const [present] = keys;
  if (present === undefined) throw new RangeError('a sealer needs a key');
  for (const { id, key } of keys) {
    if (key.length !== KEY_LENGTH) throw new RangeError(`sealing key ${id} needs ${KEY_LENGTH} bytes`);
    if (!FORM.test(`${id}.x`)) throw new RangeError(`sealing key id ${id} needs 1-64 letters, digits, _ or -`);
  }
  const known = new Map(keys.map(({ id, key }) => [id, key]));
  if (known.size !== keys.length) throw new RangeError('two sealing keys have the same id');
  const bound = (id: string, context: string): Buffer => Buffer.from(JSON.stringify([id, context]), 'utf8');
  return {
    seal: (secret, context) => {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, present.key, iv, { authTagLength: TAG_LENGTH });
      cipher.setAAD(bound(present.id, context));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${present.id}.${Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url')}`;
    },
    unseal: (sealed, context) => {
      const [, id = '', body = ''] = FORM.exec(sealed) ?? [];
      const key = known.get(id);
      const bytes = Buffer.from(body, 'base64url');
      if (key === undefined || bytes.length < IV_LENGTH + TAG_LENGTH) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH });
      decipher.setAAD(bound(id, context));
      decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
      try {
        const text = [decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return undefined;
      }
    },
    isOutdated: (sealed) => !sealed.startsWith(`${present.id}.`),
  };
};

/** The kinds of sealed values, each with a key derived for it. */
type SealedKind = 'host grants' | 'webhook secrets';

/** The sealer of a kind under the service's secret key. */
export const sealerOf = (secretKey: Uint8Array, kind: SealedKind): Sealer =>
  sealer([{ id: '1', key: derivedKey(secretKey, kind) }]);

/** The context under which a person's approval at a host is sealed, or the verifier of an approval under way. */
export const grantContext = (kind: 'grant' | 'verifier', ownerId: string, host: string): string =>
  JSON.stringify([kind, ownerId, host]);

/** The context under which a webhook's signing secret is sealed. */
export const webhookContext = (webhookId: string): string => JSON.stringify(['webhook', webhookId]);

/** Seals a text again that only the former key opens; returns null for any other text. */
export type Reseal = (kind: SealedKind, context: string, sealed: string) => string | null;

/** Moves sealed texts from one secret key to another. */
export const resealing = (formerKey: Uint8Array, presentKey: Uint8Array): Reseal => {
  const sealers = (secretKey: Uint8Array): Readonly<Record<SealedKind, Sealer>> => ({
    'host grants': sealerOf(secretKey, 'host grants'),
    'webhook secrets': sealerOf(secretKey, 'webhook secrets'),
  });
  const former = sealers(formerKey);
  const present = sealers(presentKey);
  return (kind, context, sealed) => {
    if (present[kind].unseal(sealed, context) !== undefined) return null;
    const text = former[kind].unseal(sealed, context);
    return text === undefined ? null : present[kind].seal(text, context);
  };
};

const MAC_LENGTH = 16;
const CURSOR_FORM = /^[A-Za-z0-9_-]+$/;

/** Cursors hold page keys. A caller can read them; a changed one is refused. */
export interface Cursors {
  /** Returns the page key as opaque text. `list` names the list and its filters: a key is valid in that list only. */
  sealCursor(key: PageKey, list: string): string;
  /** The page key; undefined when the text was not made here for that very list. */
  openCursor(text: string, list: string): PageKey | undefined;
}

/** Cursors signed with HMAC-SHA-256, cut to 128 bits, under a key derived from the server's secret key. */
export const cursors = (secretKey: Uint8Array): Cursors => {
  const key = derivedKey(secretKey, 'cursor');
  const macOf = (payload: Uint8Array, list: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(list))
      .update('\n')
      .update(payload)
      .digest()
      .subarray(0, MAC_LENGTH);
  return {
    sealCursor: (pageKey, list) => {
      const payload = Buffer.from(JSON.stringify(pageKey), 'utf8');
      return Buffer.concat([macOf(payload, list), payload]).toString('base64url');
    },
    openCursor: (text, list) => {
      const bytes = CURSOR_FORM.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
      // Refuses other spellings of the same cursor: base64 decoders ignore spare bits at the end.
      if (bytes.length <= MAC_LENGTH || bytes.toString('base64url') !== text) return undefined;
      const payload = bytes.subarray(MAC_LENGTH);
      if (!timingSafeEqual(macOf(payload, list), bytes.subarray(0, MAC_LENGTH))) return undefined;
      return JSON.parse(payload.toString('utf8')) as PageKey;
    },
  };
};

/** How long a device is known after it signed in last, in milliseconds: 365 days. */
export const DEVICE_KNOWN_FOR = 365 * 24 * 3_600_000;

/** A device that has signed in. */
export interface SignedDevice {
  readonly id: string;
  /** A code of the account, the same on all its devices; the account cannot be read from it. */
  readonly account: string;
  /** Whether it signed in to that account. */
  isOf(account: string): boolean;
}

/** Makes and reads tokens by which devices prove that they signed in to an account; a token reveals no account. */
export interface Devices {
  /** Returns the token that the device keeps; `at`: the moment of its sign-in. */
  seal(deviceId: string, account: string, at: Instant): string;
  /** The device; undefined when the text was not made here, or too long ago. */
  open(text: string, now: Instant): SignedDevice | undefined;
}

const DEVICE_FORM = /^([0-9a-f-]{36})\.(\d{1,15})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Devices signed with HMAC-SHA-256 under a key derived from the server's secret key. */
export const devices = (secretKey: Uint8Array): Devices => {
  const key = derivedKey(secretKey, 'device');
  const macOf = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    seal: (deviceId, account, at) => {
      const owner = macOf(account);
      return [deviceId, at, owner, macOf(deviceId, String(at), owner)].join('.');
    },
    open: (text, now) => {
      const [, id, at, owner, mac] = DEVICE_FORM.exec(text) ?? [];
      if (id === undefined || at === undefined || owner === undefined || mac === undefined) return undefined;
      if (!isSame(macOf(id, at, owner), mac) || now - Number(at) >= DEVICE_KNOWN_FOR) return undefined;
      return { id, account: owner, isOf: (account) => isSame(macOf(account), owner) };
    },
  };
};
