import type { ChecklistItem } from '../checklist/checklist-item.js';
import { openItem } from '../checklist/checklist-template.js';
import type { ChangePorts } from './change.js';
import { noteItem } from './in-item.js';
import { changeOpenRelease, type InRelease } from './in-release.js';

export interface AddChecklistItem extends InRelease {
  readonly title: string;
}

/** Adds an open item at the end of the checklist. Role member. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export const addChecklistItem =
  (ports: ChangePorts) =>
  (command: AddChecklistItem): Promise<ChecklistItem> =>
    changeOpenRelease(ports, command, 'member', async (changing) => {
      const { stores, release, now, newId, by } = changing;
      const { title } = command;
      const made = {
        id: newId(),
        releaseId: release.id,
        title,
        origin: 'added',
        at: now,
        by: by.principal.name,
      } as const;
      const item = await stores.checklists.add(openItem(made));
      await noteItem({ ...changing, item }, 'checklist_item.add', {});
      return item;
    });
