import type { Instant } from '../instant.js';

/** A request that may be repeated: scoped to caller and operation (method and concrete path). */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the raw body, hexadecimal. */
  readonly fingerprint: string;
  readonly at: Instant;
}

/** A successful answer, to the byte. */
export interface RememberedReply {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export interface IdempotencyStore {
  /**
   * Inside a transaction, before any other write: takes the key. `taken`: the reply of the first request with it;
   * `reused`: it belongs to another body; `in_use`: another transaction holds it right now (a store may instead wait for it).
   * A key that is not remembered by the end of the transaction is free again. Keys of reports are the same keys.
   */
  take(
    request: IdempotentRequest,
  ): Promise<
    { readonly state: 'free' | 'reused' | 'in_use' } | { readonly state: 'taken'; readonly reply: RememberedReply }
  >;
  /** Inside the same transaction, after the work. */
  remember(request: IdempotentRequest, reply: RememberedReply): Promise<void>;
  /** Forgets requests whose `at` is before the moment; answers how many. */
  removeBefore(at: Instant): Promise<number>;
}
