import type { Instant } from '../instant.js';

/** One try to sign in: the account as typed in lower case, and the address it came from. */
export interface SignInAttempt {
  readonly id: string;
  readonly account: string;
  readonly address: string;
  readonly at: Instant;
}

/** Tries that did not succeed (yet), the present one included; a time span ends with it and is open at its start. */
export interface SignInCounts {
  /** Of this account from this address in the last minute. */
  readonly pair: number;
  /** From this address in the last minute. */
  readonly address: number;
  /** Of this account in the last hour. */
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
