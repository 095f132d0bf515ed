import type { ChecklistItem } from '../checklist/checklist-item.js';
import { confirmedItem } from '../checklist/item-edit.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeItem, type InItem, noteItem } from './in-item.js';

export interface ConfirmChecklistItem extends InItem {
  /** The version of the item the owner saw: what is confirmed is the reason it had then. */
  readonly version: number;
}

/**
 * Confirms that an item does not apply, so that it no longer counts; one that is confirmed already stays as it is. Role owner.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `not-marked`
 */
export const confirmChecklistItem =
  (ports: ChangePorts) =>
  (command: ConfirmChecklistItem): Promise<ChecklistItem> =>
    changeItem(
      ports,
      command,
      async (changing) => {
        const { stores, item, now, by } = changing;
        const next = confirmedItem(item, { name: by.principal.name, at: now });
        if (next === item) return item;
        if (!(await stores.checklists.replace(next))) throw versionMismatch(await stores.checklists.byId(item.id));
        const { reason, markedBy } = item.mark ?? { reason: null, markedBy: null };
        await noteItem(changing, 'checklist_item.confirm', { reason, marked_by: markedBy });
        return next;
      },
      'owner',
    );
