import type { BadgeOptIn } from './badge.js';

export interface BadgeStore {
  /** Stores it in the place of the project's former one, whose token is worth nothing then. */
  put(optIn: BadgeOptIn): Promise<void>;
  ofProject(projectId: string): Promise<BadgeOptIn | undefined>;
  /** Whether there was one. */
  remove(projectId: string): Promise<boolean>;
}
