import type { SchemaStep } from './migrate.js';

/** The database id, derived from the secret key beside a SQLite file: one row, two while the key is replaced. */
export const identity: SchemaStep = {
  name: 'identity',
  statements: ({ types: { text }, tableEnd }) => [
    `create table database_identity (id ${text} primary key) ${tableEnd}`,
  ],
};

/** The salt of a secret key that can be guessed and is therefore stretched: one row, none for a good key. */
export const keySalt: SchemaStep = {
  name: 'key salt',
  statements: ({ types: { text, integer }, tableEnd }) => [
    `create table key_salt (place ${integer} primary key check (place = 1), salt ${text} not null) ${tableEnd}`,
  ],
};
