import type { Instant } from '../instant.js';
import type { Role } from '../team/team.js';
import type { ApiKey } from './api-key.js';
import type { User } from './user.js';

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
  /** Notes when it was last used; callers come once a minute at most. */
  touch(keyId: string, at: Instant): Promise<void>;
}
