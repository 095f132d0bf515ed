import type { ChecklistItem } from '../checklist/checklist-item.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeItem, type InItem, noteItem } from './in-item.js';

export interface EditChecklistItem extends InItem {
  /** What is left out stays. The key stays in any case. */
  readonly edit: Partial<Pick<ChecklistItem, 'title' | 'state'>>;
}

/** Ticks, unticks, renames an item or marks it not applicable. Role member. @throws DomainError `not-found`, `forbidden`, `release-closed`, `version-mismatch` */
export const editChecklistItem =
  (ports: ChangePorts) =>
  (command: EditChecklistItem): Promise<ChecklistItem> =>
    changeItem(ports, command, async (changing) => {
      const { stores, item, now, by } = changing;
      const stamp = { version: item.version + 1, updatedAt: now, updatedBy: by.principal.name };
      const next = { ...item, ...command.edit, ...stamp };
      if (!(await stores.checklists.replace(next))) throw versionMismatch(await stores.checklists.byId(item.id));
      await noteItem(changing, 'checklist_item.edit', { ...command.edit });
      return next;
    });
