import { authenticateKey, authenticateSession, type Ports } from '@shipworthy/domain';
import { type FindPrincipal, unauthenticated } from './authentication.js';

const KEY_REFUSALS = {
  unknown: 'There is no such API key.',
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
  disabled: 'The account of the person who made this API key is disabled.',
} as const;

const SESSION_REFUSALS = {
  unknown: 'The session has ended: sign in again.',
  expired: 'The session has expired: sign in again.',
  disabled: 'The account is disabled.',
} as const;

const MISTYPED =
  'The API key is mistyped or cut off: a key is swk_ and 36 letters and digits, and its check digits must fit.';

/** Finds principals by keys and sessions in the stores. A key whose check digits do not fit is refused without a query. */
export const createFindPrincipal = (
  ports: Pick<Ports, 'stores' | 'secrets' | 'clock'>,
  isWellFormedKey: (key: string) => boolean,
): FindPrincipal => {
  const ofKey = authenticateKey(ports);
  const ofSession = authenticateSession(ports);
  return async ({ kind, secret }, use, address) => {
    if (kind === 'session') {
      const found = await ofSession(secret, { use });
      if ('principal' in found) return found.principal;
      throw unauthenticated(SESSION_REFUSALS[found.cause]);
    }
    if (!isWellFormedKey(secret)) throw unauthenticated(MISTYPED);
    const found = await ofKey(secret, address);
    if ('principal' in found) return found.principal;
    throw unauthenticated(KEY_REFUSALS[found.cause]);
  };
};
