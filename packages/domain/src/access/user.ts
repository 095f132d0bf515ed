import type { Instant } from '../instant.js';

export interface User {
  readonly id: string;
  /** As given; unique by its key (`addressKey`). */
  readonly email: string;
  /** Whether the address is proved to be the person's: an administrator bound an invitation to it, or vouched for it. */
  readonly emailVerified: boolean;
  readonly name: string;
  /** May invite people; sees no team by that alone. */
  readonly administrator: boolean;
  readonly createdAt: Instant;
  /** Since when the account is disabled: neither sessions nor keys work. null: it is not. */
  readonly disabledAt: Instant | null;
}
