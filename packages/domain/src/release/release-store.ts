import type { ChecklistItem } from '../checklist/checklist-item.js';
import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import type { Release, ReleaseState, ReleaseWindow } from './release.js';

export interface ReleaseStore {
  /** Stores a release with its first checklist, changed at its `createdAt`; DomainError `name-taken`, `external-id-conflict`. */
  create(release: Release, checklist: readonly ChecklistItem[]): Promise<void>;
  byId(releaseId: string): Promise<Release | undefined>;
  /** In the order asked; undefined where there is none. One query. */
  byExternalIds(projectId: string, externalIds: readonly string[]): Promise<readonly (Release | undefined)[]>;
  named(projectId: string, name: string): Promise<Release | undefined>;
  activeOf(projectId: string): Promise<Release | undefined>;
  /** Newest first (createdAt, then id); optionally only of some states. */
  ofProject(projectId: string, states: readonly ReleaseState[] | null, page: PageRequest): Promise<Page<Release>>;
  /** The last releases of a project that shipped before the moment, newest first (shippedAt, then id), `limit` at most. */
  shippedBefore(projectId: string, before: Instant, limit: number): Promise<readonly Release[]>;
  /** Releases of a project whose window holds the moment. */
  windowsAt(projectId: string, at: Instant): Promise<readonly ReleaseWindow[]>;
  /** Stores `next` if the stored version is `next.version - 1`, and marks it as changed; DomainError `name-taken`, `external-id-conflict`, `release-active`. */
  replace(next: Release, changedAt: Instant): Promise<boolean>;
  /** Has no release of the project follow a milestone any more; nothing is marked, since nothing counts otherwise. Answers how many. */
  letGo(projectId: string): Promise<number>;
  /** Keeps the report that was true when the release shipped; a second one for the same release is not kept. */
  freeze(releaseId: string, report: FrozenReport): Promise<void>;
  frozen(releaseId: string): Promise<FrozenReport | undefined>;
  /** In the order asked; undefined where none is kept. One query for any number. */
  frozenOf(releaseIds: readonly string[]): Promise<readonly (FrozenReport | undefined)[]>;
}
