import type { Fault } from '../errors.js';

/** Fewest characters of a password. */
export const SHORTEST_PASSWORD = 12;

/** Everything wrong with a password a person chose; empty when nothing is. */
export const passwordFaults = (password: string, pointer = '/password'): readonly Fault[] =>
  [...password].length >= SHORTEST_PASSWORD
    ? []
    : [{ pointer, code: 'too-short', message: `A password has at least ${SHORTEST_PASSWORD} characters.` }];
