import type { Instant } from '../instant.js';

/** Who somebody is at the repository host. */
export interface HostAccount {
  readonly id: string;
  readonly name: string;
}

/** What a person's approval yielded, sealed by the adapter for that person: nobody else can read it. */
export interface Grant {
  readonly sealed: string;
  /** When it ends unless it is refreshed; null: it lasts until it is revoked. */
  readonly expiresAt: Instant | null;
}

/** What a call to the host is made with. */
export interface HostAccess {
  /** Whose grant it is; a grant opens for its owner only. */
  readonly ownerId: string;
  readonly grant: Grant;
  /** By then, on the service's clock, the call has an answer or DomainError `host-unavailable`. */
  readonly deadline: Instant;
}
