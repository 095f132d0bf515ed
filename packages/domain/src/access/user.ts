import type { Instant } from '../instant.js';

export interface User {
  readonly id: string;
  /** As given; compared in lower case, unique. */
  readonly email: string;
  readonly name: string;
  /** May invite people; sees no team by that alone. */
  readonly administrator: boolean;
  readonly createdAt: Instant;
}
