import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Principal, type Role, SCOPES, type Stores } from '@shipworthy/domain';
import type { Authenticate } from '@shipworthy/server';

const HEADER = 'x-user';
const PROOF_HEADER = 'x-user-proof';
/** How long a proved identity is valid, in milliseconds. Every request proves it again, so a minute is enough. */
const PROVED_FOR_MS = 60_000;

/** Returns the headers with which a gateway that has the key says who makes a request. */
export const gatewayHeaders = (key: string, email: string): Record<string, string> => ({
  [HEADER]: email,
  [PROOF_HEADER]: createHmac('sha256', key).update(email, 'utf8').digest('hex'),
});

const isProved = (key: string, email: string, proof: string): boolean => {
  const [expected, given] = [gatewayHeaders(key, email)[PROOF_HEADER] ?? '', proof].map((text) => Buffer.from(text));
  return expected?.length === given?.length && timingSafeEqual(expected ?? Buffer.of(), given ?? Buffer.of(1));
};

const rolesIn = async (stores: Stores, teamIds: readonly string[], userId: string): Promise<Map<string, Role>> => {
  const roles = new Map<string, Role>();
  for (const teamId of teamIds)
    for (const member of await stores.teams.members(teamId))
      if (member.userId === userId) roles.set(teamId, member.role);
  return roles;
};

/** Trusts the gateway in front to say who makes a request; roles are those the person has in the teams now. */
export const gatewayAuthentication =
  (stores: Stores, key: string, teamIds: readonly string[]): Authenticate =>
  async ({ headers }): Promise<Principal | null> => {
    const { [HEADER]: email, [PROOF_HEADER]: proof } = headers;
    if (typeof email !== 'string' || typeof proof !== 'string' || !isProved(key, email, proof)) return null;
    const found = await stores.users.byEmail(email);
    // Only this keeps a disabled account from reading: for readings, nothing behind it asks once more.
    if (found === undefined || found.user.disabledAt !== null) return null;
    const { id, name, administrator } = found.user;
    const roles = await rolesIn(stores, teamIds, id);
    const expiresAt = Date.now() + PROVED_FOR_MS;
    return { kind: 'session', id, userId: id, name, scopes: SCOPES, roles, administrator, expiresAt };
  };
