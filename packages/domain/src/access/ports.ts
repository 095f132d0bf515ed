import type { Instant } from '../time.js';

/** A request that may be repeated: scoped to caller and operation (method and concrete path). */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the raw body, hexadecimal. */
  readonly fingerprint: string;
  readonly at: Instant;
}

/** The successful answer to the first request, byte for byte. */
export interface RememberedReply {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export interface IdempotencyStore {
  /**
   * Claims the key, inside a transaction and before any other write. `free`: the caller goes on; `taken`: the reply of
   * the first request with the key; `reused`: the key belongs to another body; `in_use`: another transaction holds it
   * right now (a store may instead wait for it). A key that is not remembered by the end of the transaction is free
   * again. Reports that go through `ReportStore` take their keys from the same records: a key used there is not free here.
   */
  take(
    request: IdempotentRequest,
  ): Promise<
    { readonly state: 'free' | 'reused' | 'in_use' } | { readonly state: 'taken'; readonly reply: RememberedReply }
  >;
  /** Stores the reply, inside the same transaction and after the work. */
  remember(request: IdempotentRequest, reply: RememberedReply): Promise<void>;
  /** Removes requests whose `at` is before the moment; returns how many. */
  removeBefore(at: Instant): Promise<number>;
}

/** Who waits for the hash of a password. */
export interface PasswordAsker {
  /** The account where `known`, else the network. At most four with one name wait at a time. */
  readonly name: string;
  /** Whether a session or the cookie of a device shows that the account signed in before. Known ones are served first. */
  readonly known: boolean;
}

/** Randomness and one-way functions, kept outside the domain. */
export interface Secrets {
  /** A new API key: `swk_`, 30 random base62 characters, 6 base62 characters of CRC32 over the characters before them. */
  newApiKey(): string;
  /** 256 random bits for a session or an invitation, URL-safe. */
  newToken(): string;
  /** SHA-256, hexadecimal, of a random secret. Not for passwords. */
  hash(secret: string): string;
  /**
   * scrypt with its parameters in the answer; at most two are computed at a time.
   * @param isWanted called when the hash is about to be computed, which may be seconds later; rejects when the hash is
   * no longer needed
   * @throws DomainError `unavailable` where too many wait, `too-many-attempts` where too many hashes wait for this
   * asker; what `isWanted` rejects with
   */
  hashPassword(password: string, asker: PasswordAsker, isWanted?: () => Promise<void>): Promise<string>;
  /**
   * Checks a password against a stored hash; without one it returns false after the same time.
   * @throws DomainError as `hashPassword`
   */
  verifyPassword(password: string, stored: string | undefined, asker: PasswordAsker): Promise<boolean>;
}
