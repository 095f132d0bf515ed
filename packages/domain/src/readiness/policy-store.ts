import type { Page, PageRequest } from '../page.js';
import type { PolicyVersion } from './policy.js';

/** Every version of each project's policy; none is ever changed. */
export interface PolicyStore {
  current(projectId: string): Promise<PolicyVersion | undefined>;
  /** All of them, newest first. */
  versions(projectId: string, page: PageRequest): Promise<Page<PolicyVersion>>;
  /** Adds version `next.version` if the current one is `next.version - 1`, and marks the project's releases as changed; false otherwise. */
  add(projectId: string, next: PolicyVersion): Promise<boolean>;
}
