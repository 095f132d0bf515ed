import type { SchemaStep } from './step.js';

/** Grants whose connections are gone and that are still to be ended at the host. Few, and gone soon. */
export const endings: SchemaStep = {
  name: 'endings',
  statements: ({ types: { id, text, moment }, tableEnd }) => [
    `create table host_endings (
      user_id ${id} not null references users (id), host ${text} not null, sealed ${text} not null,
      grant_expires_at ${moment}, due_at ${moment} not null) ${tableEnd}`,
    'create index host_endings_due on host_endings (host, due_at)',
  ],
};
