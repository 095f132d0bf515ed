import { awaitsConfirmation, type ChecklistItem } from '../checklist/checklist-item.js';
import { editedItem, editFaults, type ItemEdit } from '../checklist/item-edit.js';
import { invalid } from '../errors.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeItem, type InItem, noteItem } from './in-item.js';
import { storedRole } from './in-team.js';

export interface EditChecklistItem extends InItem {
  readonly edit: ItemEdit;
}

/**
 * Ticks, unticks, renames an item or marks it as not applicable with a reason, which counts once an owner made or confirmed
 * it. Role member. The audit keeps what the item was before, its mark included.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `release-closed`, `version-mismatch`
 */
export const editChecklistItem =
  (ports: ChangePorts) =>
  async (command: EditChecklistItem): Promise<ChecklistItem> => {
    const faults = editFaults(command.edit);
    if (faults.length > 0) throw invalid(faults);
    return changeItem(ports, command, async (changing) => {
      const { stores, item, now, by, project } = changing;
      const wasOwner = by.principal.roles.get(project.teamId) === 'owner';
      const isOwner = wasOwner && (await storedRole(stores, by, project.teamId)) === 'owner';
      const next = editedItem(item, command.edit, { name: by.principal.name, isOwner, at: now });
      if (!(await stores.checklists.replace(next))) throw versionMismatch(await stores.checklists.byId(item.id));
      const { title, state, mark } = item;
      await noteItem(changing, 'checklist_item.edit', {
        ...command.edit,
        awaits_confirmation: awaitsConfirmation(next),
        before: { title, state, reason: mark?.reason ?? null, confirmed_by: mark?.confirmedBy ?? null },
      });
      return next;
    });
  };
