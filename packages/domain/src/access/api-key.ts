import type { Instant } from '../instant.js';
import type { Scope } from './principal.js';

/** A key for pipelines. The key itself is shown once and never kept. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Narrows its sight to one team; null: all of its maker's. */
  readonly teamId: string | null;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** The first characters, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Coarse: written once a minute at most. */
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
}
