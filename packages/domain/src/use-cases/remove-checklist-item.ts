import { notFound } from '../errors.js';
import type { ChangePorts } from './change.js';
import { changeItem, type InItem, noteItem } from './in-item.js';

export type RemoveChecklistItem = InItem;

/** Removes an item with its evidence. Role member. @throws DomainError `not-found`, `forbidden`, `release-closed`, `version-mismatch` */
export const removeChecklistItem =
  (ports: ChangePorts) =>
  (command: RemoveChecklistItem): Promise<void> =>
    changeItem(ports, command, async (changing) => {
      const { stores, item, now } = changing;
      if (!(await stores.checklists.remove(item.id, now))) throw notFound('checklist item');
      await noteItem(changing, 'checklist_item.remove', {});
    });
