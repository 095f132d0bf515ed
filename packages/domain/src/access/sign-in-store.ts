import type { Instant } from '../instant.js';

/** One try to sign in: the account as typed in lower case, and the network it came from (`networkOf`). */
export interface SignInAttempt {
  readonly id: string;
  readonly account: string;
  readonly address: string;
  readonly at: Instant;
}

/**
 * Tries that did not succeed (yet), the present one included; a time span is open at its start and has no end: what is noted
 * under a later moment, as by an instance whose clock is ahead, counts too.
 */
export interface SignInCounts {
  /** Of this account from this address since a minute before. */
  readonly pair: number;
  /** From this address since a minute before. */
  readonly address: number;
  /** Of this account since an hour before. */
  readonly account: number;
  /** Whether this account signed in from this address before. */
  readonly addressKnown: boolean;
}

export interface SignInStore {
  /** Notes the try before it is judged, so that many at once are counted, and answers the counts. */
  attempt(attempt: SignInAttempt): Promise<SignInCounts>;
  /** Takes the try off again and remembers the address for the account. */
  succeeded(attempt: SignInAttempt): Promise<void>;
  /** Forgets tries before the moment; answers how many. */
  removeBefore(at: Instant): Promise<number>;
}
