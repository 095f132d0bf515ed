import type { Instant } from '../instant.js';

/** What is released: belongs to one team; its name is what deployments are matched by. */
export interface Project {
  readonly id: string;
  readonly teamId: string;
  /** Unique within the team, compared exactly. */
  readonly name: string;
  /** For browser addresses only, unique within the team. */
  readonly slug: string;
  readonly version: number;
  readonly createdAt: Instant;
}
