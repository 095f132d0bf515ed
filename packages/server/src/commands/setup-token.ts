import { randomInt } from 'node:crypto';

/** Without characters that are taken for one another when read aloud or typed. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A random token for the first setup, some 99 bits, in groups that can be typed. */
export const newSetupToken = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');
