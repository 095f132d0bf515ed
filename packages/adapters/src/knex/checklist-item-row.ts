import type { ChecklistItem, Evidence, NotApplicableMark } from '@shipworthy/domain';
import type { Access } from './access.js';
import { insert, momentOrNull } from './sql.js';

export const insertEvidence = (access: Access, itemId: string, evidence: Evidence): Promise<void> =>
  insert(access, 'evidence', {
    id: evidence.id,
    item_id: itemId,
    url: evidence.url,
    label: evidence.label,
    added_by: evidence.addedBy,
    added_at: access.dialect.moment(evidence.addedAt),
  });

/** The columns that hold the mark of an item; all null without one. */
export const markColumns = (access: Access, mark: NotApplicableMark | null) => ({
  reason: mark?.reason ?? null,
  marked_by: mark?.markedBy ?? null,
  marked_at: momentOrNull(access, mark?.markedAt ?? null),
  confirmed_by: mark?.confirmedBy ?? null,
  confirmed_at: momentOrNull(access, mark?.confirmedAt ?? null),
});

/** The columns of an item; its evidence has rows of its own. */
export const itemColumns = (access: Access, item: ChecklistItem) => ({
  id: item.id,
  release_id: item.releaseId,
  key: item.key,
  title: item.title,
  origin: item.origin,
  state: item.state,
  ...markColumns(access, item.mark),
  position: item.position,
  version: item.version,
  updated_at: access.dialect.moment(item.updatedAt),
  updated_by: item.updatedBy,
  removed_by: item.removal?.removedBy ?? null,
  removed_at: momentOrNull(access, item.removal?.removedAt ?? null),
});

/** Stores an item as it is, with its evidence. */
export const insertItem = async (access: Access, item: ChecklistItem): Promise<void> => {
  await insert(access, 'checklist_items', itemColumns(access, item));
  for (const evidence of item.evidence) await insertEvidence(access, item.id, evidence);
};
