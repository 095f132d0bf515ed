import type { ChecklistItem } from '../checklist/checklist-item.js';
import { notFound } from '../errors.js';
import type { ChangePorts } from './change.js';
import { changeItem, type InItem, noteItem, storedItem } from './in-item.js';

export interface RemoveEvidence extends InItem {
  readonly evidenceId: string;
}

/** Takes evidence off an item. Role member. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export const removeEvidence =
  (ports: ChangePorts) =>
  (command: RemoveEvidence): Promise<ChecklistItem> =>
    changeItem(ports, command, async (changing) => {
      const { stores, item, now, by } = changing;
      const removed = await stores.checklists.removeEvidence(item.id, command.evidenceId, now, by.principal.name);
      if (!removed) throw notFound('evidence');
      await noteItem(changing, 'evidence.remove', { id: command.evidenceId });
      return storedItem(stores, item.id);
    });
