import { type Instant, pendingMove } from '@shipworthy/domain';
import type { Access } from './access.js';
import { markReleases } from './marks.js';

/** Marks the releases as changed that are pending in one of two lists only; the first is as it is stored. */
export const markPending = (access: Access, stored: string, after: readonly string[], at: Instant): Promise<void> => {
  const before = JSON.parse(stored) as readonly string[];
  const read = before.filter((id) => !after.includes(id)).map((id) => pendingMove(id, 'issues_read', at));
  const pending = after.filter((id) => !before.includes(id)).map((id) => pendingMove(id, 'issues_pending', at));
  return markReleases(
    access,
    [...read, ...pending].map((move) => ({ releaseId: move.id, causes: [move] })),
  );
};
