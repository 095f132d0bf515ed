import type { ChecklistItem } from '../checklist/checklist-item.js';
import { requireRestorable } from '../checklist/removal.js';
import { requireOpen } from '../release/release-transition.js';
import type { ChangePorts } from './change.js';
import { findItem, type InItem, noteItem, storedItem } from './in-item.js';
import { changeRelease } from './in-release.js';

export type RestoreChecklistItem = Omit<InItem, 'version'>;

/**
 * Puts an item that was removed less than 30 days ago back to its place, as it was; one that is on the checklist stays as it
 * is. Role owner.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `not-restorable`
 */
export const restoreChecklistItem =
  (ports: ChangePorts) =>
  (command: RestoreChecklistItem): Promise<ChecklistItem> =>
    changeRelease(ports, command, 'owner', async (changing) => {
      const { stores, now, by } = changing;
      const item = await findItem(stores, command);
      requireOpen(changing.release);
      const { removal } = item;
      if (removal === null) return item;
      requireRestorable({ ...item, removal }, now);
      await stores.checklists.restore(item.id, now, by.principal.name);
      await noteItem({ ...changing, item }, 'checklist_item.restore', { state: item.state });
      return storedItem(stores, item.id);
    });
