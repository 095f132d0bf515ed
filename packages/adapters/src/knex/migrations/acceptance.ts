import type { SchemaStep } from './step.js';

/**
 * Adds verified addresses, invitations bound to an address, and disabled accounts. The addresses of administrators count as
 * verified; those of all other accounts do not yet.
 */
export const acceptance: SchemaStep = {
  name: 'acceptance',
  statements: ({ types: { integer, moment, text } }) => [
    `alter table users add column email_verified ${integer} not null default 0`,
    `alter table users add column disabled_at ${moment}`,
    'update users set email_verified = 1 where administrator = 1',
    'create index users_created on users (created_at, id)',
    `alter table invitations add column email ${text}`,
    `alter table invitations add column email_key ${text}`,
    `alter table invitations add column revoked_at ${moment}`,
    'create index invitations_address on invitations (email_key)',
    'create index invitations_maker on invitations (created_by)',
  ],
};
