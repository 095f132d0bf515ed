import type { Cause, Instant, Move, ReleaseWindow } from '@shipworthy/domain';
import { descending } from './table.js';
import { type Causes, keyOf, mergedCauses, NO_CAUSES, type Tables } from './tables.js';

/** Marks the release as changed: its revision goes up, its time never back. Keeps moves of an axis or the gate. */
export const markRelease = (tables: Tables, releaseId: string, move: Move): void => {
  const moved = authored(tables, move);
  const { kind, id, at, what, by } = moved;
  markWith(tables, releaseId, { kind, id, at, ...(by && { by }) });
  const { revision = 0 } = tables.changes.get(releaseId) ?? {};
  if (what.length > 0) tables.moves.put(keyOf(releaseId, revision, 0), { releaseId, revision, turn: 0, move: moved });
};

/** Stores a release's first revision. */
export const insertFirstRevision = (tables: Tables, releaseId: string, at: Instant): void =>
  markWith(tables, releaseId, authored(tables, { kind: 'release', id: releaseId, at }));

/** The cause with the author of the transaction, unless it has one of its own. */
const authored = <Known extends Cause>({ by }: Tables, cause: Known): Known =>
  by === undefined || cause.by !== undefined ? cause : { ...cause, by };

const markWith = (tables: Tables, releaseId: string, cause: Cause): void => {
  const before = tables.changes.get(releaseId);
  const { at } = cause;
  const causes: Causes = { named: [cause], count: 1 };
  tables.changes.put(releaseId, {
    releaseId,
    revision: (before?.revision ?? 0) + 1,
    changedAt: Math.max(before?.changedAt ?? at, at),
    settledRevision: before?.settledRevision ?? 0,
    claimed: before?.claimed ?? NO_CAUSES,
    pending: mergedCauses(before?.pending ?? NO_CAUSES, causes),
    hiddenUntil: before?.hiddenUntil ?? 0,
    dueAt: before?.dueAt ?? null,
  });
};

/** Marks every release of the project as changed. */
export const markProject = (tables: Tables, projectId: string, move: Move): void => {
  for (const { id } of tables.releases.where('project', projectId)) markRelease(tables, id, move);
};

/** The project's releases whose window holds the moment, newest first. */
export const windowsAt = (tables: Tables, projectId: string, at: Instant): readonly ReleaseWindow[] => {
  const windows: ReleaseWindow[] = [];
  const releases = descending(tables.releases.where('project', projectId), ({ createdAt, id }) => [createdAt, id]);
  for (const { id, name, startsAt, shippedAt, canceledAt } of releases) {
    const endsAt = shippedAt ?? canceledAt;
    if (startsAt !== null && startsAt <= at && (endsAt === null || at < endsAt)) {
      windows.push({ id, name, startsAt, endsAt, shippedAt });
    }
  }
  return windows;
};
