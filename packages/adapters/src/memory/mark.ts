import type { Cause, Instant, ReleaseWindow } from '@shipworthy/domain';
import { type Causes, NO_CAUSES, together } from './change.js';
import type { Tables } from './tables.js';

/** Marks the release as changed: one revision on, never back in time. */
export const mark = (tables: Tables, releaseId: string, kind: Cause['kind'], id: string, at: Instant): void => {
  const before = tables.changes.get(releaseId);
  const cause: Causes = { named: [{ kind, id, at }], count: 1 };
  tables.changes.put(releaseId, {
    releaseId,
    revision: (before?.revision ?? 0) + 1,
    changedAt: Math.max(before?.changedAt ?? at, at),
    settledRevision: before?.settledRevision ?? 0,
    claimed: before?.claimed ?? NO_CAUSES,
    claimedRevision: before?.claimedRevision ?? 0,
    pending: together(before?.pending ?? NO_CAUSES, cause),
    hiddenUntil: before?.hiddenUntil ?? 0,
    dueAt: before?.dueAt ?? null,
  });
};

/** Marks every release of the project as changed by the project itself. */
export const markProject = (tables: Tables, projectId: string, kind: Cause['kind'], at: Instant): void => {
  for (const { id } of tables.releases.where('project', projectId)) mark(tables, id, kind, projectId, at);
};

/** The project's releases whose window holds the moment, by id. */
export const windowsAt = (tables: Tables, projectId: string, at: Instant): readonly ReleaseWindow[] => {
  const windows: ReleaseWindow[] = [];
  for (const { id, name, startsAt, shippedAt, canceledAt } of tables.releases.where('project', projectId)) {
    const endsAt = shippedAt ?? canceledAt;
    if (startsAt !== null && startsAt <= at && (endsAt === null || at < endsAt)) {
      windows.push({ id, name, startsAt, endsAt });
    }
  }
  return windows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};
