import { requireAdded } from '../checklist/removal.js';
import { notFound } from '../errors.js';
import type { ChangePorts } from './change.js';
import { changeItem, type InItem, noteItem } from './in-item.js';

export type RemoveChecklistItem = InItem;

/**
 * Takes an item that was added by hand off the checklist; it can be restored for 30 days. Role owner.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `template-item`
 */
export const removeChecklistItem =
  (ports: ChangePorts) =>
  (command: RemoveChecklistItem): Promise<void> =>
    changeItem(
      ports,
      command,
      async (changing) => {
        const { stores, item, now, by } = changing;
        requireAdded(item);
        const removal = { removedAt: now, removedBy: by.principal.name };
        if (!(await stores.checklists.remove(item.id, removal))) throw notFound('checklist item');
        await noteItem(changing, 'checklist_item.remove', { state: item.state });
      },
      'owner',
    );
