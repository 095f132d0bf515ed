import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { DEFAULT_COST, type ScryptCost } from './secrets.js';

const LENGTH = 32;

/**
 * A key of 32 bytes for one purpose, by HKDF-SHA-256 (RFC 5869) from the server's secret key, so that no two purposes
 * ever share a key. RangeError when the secret key has less than 32 bytes.
 */
export const derivedKey = (secretKey: Uint8Array, purpose: string): Buffer => {
  if (secretKey.length < LENGTH) throw new RangeError(`the secret key needs at least ${LENGTH} bytes`);
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), `shipworthy ${purpose}`, LENGTH));
};

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
const KEY_LENGTH = 32;
const SALT_LENGTH = 32;

/** A new salt, as base64url: random, so that it also keeps those out who guess the text but have no copy of the data. */
export const newSalt = (): string => randomBytes(SALT_LENGTH).toString('base64url');

/** The key of 32 bytes that scrypt makes of a secret that can be guessed. `cost` is lower in tests only. */
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
/** A word that people choose is one of some 256 likely ones; within other characters one of 8,000. */
const WORD_BITS = 8;
const INNER_WORD_BITS = 13;
/** Letters that count as one word at most. */
const WORD_LENGTH = 8;
/** Random letters rarely have the same case so often in a row. */
const SHORTEST_WORD = 4;
/** This many characters that appeared before in the same order count as a repetition. */
const SHORTEST_REPETITION = 6;
const REPETITION_BITS = 8;

/** How many characters something takes, and what they are worth. */
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
