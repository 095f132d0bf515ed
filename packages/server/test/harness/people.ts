import { expect } from 'chai';
import type { RawAnswer } from './contract-check.js';
import { SETUP_TOKEN, type Service } from './service.js';
import type { Person } from './world.js';

export const PASSWORD = 'a long enough phrase';

/** What sets the first administrator up. */
export const SETUP = { setup_token: SETUP_TOKEN, email: 'ada@acme.dev', name: 'Ada', password: PASSWORD };

/** The secret in the session cookie an answer sets. */
export const secretIn = ({ headers }: RawAnswer): string => {
  const [, secret = ''] = /^shipworthy_session=([^;]*);/.exec(headers['set-cookie'] ?? '') ?? [];
  expect(secret, 'the cookie holds a secret').to.have.length.of.at.least(43);
  return secret;
};

/** Gives the person a password to sign in with. */
export const givePassword = async ({ ports }: Service, { user }: Person, password = PASSWORD): Promise<void> =>
  ports.stores.users.changePassword(
    user.id,
    await ports.secrets.hashPassword(password, { name: user.id, known: true }),
  );
