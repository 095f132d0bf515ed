import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '@shipworthy/domain';
import { newApiKey } from './api-key-text.js';
import { DEFAULT_COST, hashPassword, type ScryptCost, verifyPassword } from './password-hash.js';
import { turnstile } from './turnstile.js';

const AT_ONCE = 2;
const MAX_WAITING = 100;

/** Secrets by Node's own cryptography. `cost` is what a password's hash costs; anything cheaper than the default is for tests. */
export const secrets = (options: { readonly cost?: ScryptCost } = {}): Secrets => {
  const cost = options.cost ?? DEFAULT_COST;
  const inTurn = turnstile(AT_ONCE, MAX_WAITING);
  return {
    newApiKey,
    newToken: () => randomBytes(32).toString('base64url'),
    hash: (secret) => createHash('sha256').update(secret, 'utf8').digest('hex'),
    hashPassword: (password) => inTurn(() => hashPassword(password, cost)),
    verifyPassword: (password, stored) => inTurn(() => verifyPassword(password, stored, cost)),
  };
};
