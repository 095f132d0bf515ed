import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';

export const SCOPES = ['read', 'deployments:write', 'test-runs:write'] as const;
/** What an API key may be used for. */
export type Scope = (typeof SCOPES)[number];

/** Where a key belongs. */
export interface KeyHome {
  /** Teams in which names are looked for first. */
  readonly teamIds: readonly string[];
  /** The only project in sight; null: all projects of the teams in sight. */
  readonly projectId: string | null;
}

/** Who makes a request, with all that decides what it may do. */
export interface Principal {
  readonly kind: 'session' | 'api_key';
  /** Of the session or the key. */
  readonly id: string;
  readonly userId: string;
  /** The key's name, or the person's. */
  readonly name: string;
  /** A session has all. */
  readonly scopes: readonly Scope[];
  /** Teams in sight with the person's role there; for a key of one team only that one. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Of an API key. Without one, names are looked for in all teams in sight alike. */
  readonly home?: KeyHome;
  readonly administrator: boolean;
  readonly expiresAt: Instant;
}
