import type { Caller, Client } from '@shipworthy/client';
import { dataOf, listOf, requireUsed, TEXT, uses } from '../schema/used-members.js';

const CALLER = dataOf(
  uses({ name: TEXT, scopes: listOf(TEXT), teams: listOf(uses({ name: TEXT, role: TEXT })), expires_at: TEXT }),
);

/** Reads whose key this is. Failure (exit 5) for an answer that does not say so. */
export const readCaller = async (client: Client): Promise<Caller> => {
  const { body } = await client.whoAmI();
  requireUsed('GET /api/whoami', CALLER, body);
  return body.data;
};
