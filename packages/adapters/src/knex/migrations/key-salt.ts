import type { SchemaStep } from './step.js';

/** The salt of a secret key that can be guessed and is therefore stretched: one row, none for a good key. */
export const keySalt: SchemaStep = {
  name: 'key salt',
  statements: ({ types: { text, integer }, tableEnd }) => [
    `create table key_salt (place ${integer} primary key check (place = 1), salt ${text} not null) ${tableEnd}`,
  ],
};
