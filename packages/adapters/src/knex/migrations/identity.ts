import type { SchemaStep } from './step.js';

/** The id of the database, which follows from the secret key that is kept beside a SQLite file: one row, two while the key is replaced. */
export const identity: SchemaStep = {
  name: 'identity',
  statements: ({ types: { text }, tableEnd }) => [
    `create table database_identity (id ${text} primary key) ${tableEnd}`,
  ],
};
