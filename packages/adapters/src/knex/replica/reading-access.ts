import type { Access } from '../access.js';
import type { Replica } from './replica.js';

/** Reads outside a transaction on the replica, if it is fit, and everything else on the primary. */
export const readingAccess = (primary: Access, replica: Replica): Access => ({
  ...primary,
  read: async (sql, bindings, name) => (await replica.read(sql, bindings, name)) ?? primary.read(sql, bindings, name),
});
