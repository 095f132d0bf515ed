import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { User } from './user.js';

export interface UserStore {
  /** Stores the very first user; false when there is one already. One conditional insert. */
  createFirst(user: User, passwordHash: string): Promise<boolean>;
  /** DomainError `email-taken`. */
  create(user: User, passwordHash: string): Promise<void>;
  byId(userId: string): Promise<User | undefined>;
  /** Compared by `addressKey`. */
  byEmail(email: string): Promise<{ readonly user: User; readonly passwordHash: string } | undefined>;
  /** Notes that the address is proved to be the person's. */
  verifyEmail(userId: string): Promise<void>;
  /** Disables the account as of that moment; null enables it. */
  setDisabled(userId: string, at: Instant | null): Promise<void>;
  changePassword(userId: string, passwordHash: string): Promise<void>;
  any(): Promise<boolean>;
  /** Everybody who is an administrator, disabled ones too, oldest first (createdAt, then id). */
  administrators(): Promise<readonly User[]>;
  /** Inside a transaction: holds the account still until it ends. */
  lock(userId: string): Promise<void>;
  /** Inside a transaction: holds the accounts of the administrators still until it ends. */
  lockAdministrators(): Promise<void>;
  /** Everybody, oldest first: createdAt, then id. */
  page(page: PageRequest): Promise<Page<User>>;
}
