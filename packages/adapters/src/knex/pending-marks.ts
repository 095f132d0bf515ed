import type { Instant } from '@shipworthy/domain';
import type { Access } from './access.js';
import { markReleases } from './marks.js';

/** Marks the releases as changed that are pending in one of two lists only; the first is as it is stored. */
export const markPending = (access: Access, stored: string, after: readonly string[], at: Instant): Promise<void> => {
  const before = JSON.parse(stored) as readonly string[];
  const ended = before.filter((id) => !after.includes(id));
  const changed = [...ended, ...after.filter((id) => !before.includes(id))];
  return markReleases(
    access,
    changed.map((id) => ({ releaseId: id, causes: [{ kind: 'release', id, at }] })),
  );
};
