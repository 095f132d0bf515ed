import type { Instant } from '../instant.js';
import type { Scope } from './principal.js';

/** A key for pipelines. The key itself is shown once and never kept. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Its home, and all it sees; null: a key of all teams of its maker. */
  readonly teamId: string | null;
  /** The only project it sees, one of that team; null: all projects. */
  readonly projectId: string | null;
  /** Home of a key of all teams: those its maker was in when it was made, or when homes were introduced. Else empty. */
  readonly homeTeams: readonly string[];
  /** Teams whose owners took it out of their team. */
  readonly barredTeams: readonly string[];
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** The first characters, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Coarse: written once a minute at most. */
  readonly lastUsedAt: Instant | null;
  /** Network address of that use; null: never used, or not since addresses are kept. */
  readonly lastUsedAddress: string | null;
  readonly revokedAt: Instant | null;
}
