import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';
import type { ApiKey } from './api-key.js';
import type { User } from './user.js';

/** A key as the owners of a team it reaches see it. */
export interface ReachingKey {
  readonly key: ApiKey;
  readonly maker: User;
}

export interface ApiKeyStore {
  create(key: ApiKey): Promise<void>;
  /** The key (revoked and expired ones too) with its maker and the maker's roles now; one query. */
  byHash(
    hash: string,
  ): Promise<{ readonly key: ApiKey; readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined>;
  /** Newest first (createdAt, then id), revoked ones left out. */
  ofUser(userId: string): Promise<readonly ApiKey[]>;
  /** False when the person has no such unrevoked key. */
  revoke(userId: string, keyId: string, at: Instant): Promise<boolean>;
  /** Notes when and from which network address it was last used; callers come once a minute at most. */
  touch(keyId: string, at: Instant, address: string): Promise<void>;
  /**
   * Keys that reach the team at that moment, with their makers: of the team or of all teams, made by one of its members, not
   * revoked, expired or barred there. Newest first (createdAt, then id).
   */
  reaching(teamId: string, at: Instant): Promise<readonly ReachingKey[]>;
  /** Takes the key out of the team for good; false when there is no such key or it was barred there before. */
  bar(keyId: string, teamId: string): Promise<boolean>;
}
