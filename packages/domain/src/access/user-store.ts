import type { User } from './user.js';

export interface UserStore {
  /** Stores the very first user; false when there is one already. One conditional insert. */
  createFirst(user: User, passwordHash: string): Promise<boolean>;
  /** DomainError `email-taken`. */
  create(user: User, passwordHash: string): Promise<void>;
  byId(userId: string): Promise<User | undefined>;
  /** Compared in lower case. */
  byEmail(email: string): Promise<{ readonly user: User; readonly passwordHash: string } | undefined>;
  changePassword(userId: string, passwordHash: string): Promise<void>;
  any(): Promise<boolean>;
  /** Everybody who is an administrator, oldest first (createdAt, then id). */
  administrators(): Promise<readonly User[]>;
}
