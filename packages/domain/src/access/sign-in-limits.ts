import type { SignInCounts } from './sign-in-store.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Most failed tries of one account from one address in a minute. */
export const PAIR_LIMIT = 5;
/** Most failed tries from one address in a minute. */
export const ADDRESS_LIMIT = 20;
/** Most failed tries of one account in an hour; after that only addresses and devices that signed in before are let in. */
export const ACCOUNT_LIMIT = 100;

/** How long to wait before the next try, in milliseconds; null: the try may be judged. The counts include it. */
export const waitBeforeTry = ({ pair, address, account, addressKnown }: SignInCounts): number | null => {
  if (account > ACCOUNT_LIMIT && !addressKnown) return HOUR;
  return pair > PAIR_LIMIT || address > ADDRESS_LIMIT ? MINUTE : null;
};
