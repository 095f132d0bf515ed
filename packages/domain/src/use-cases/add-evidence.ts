import type { ChecklistItem, Evidence } from '../checklist/checklist-item.js';
import { notFound } from '../errors.js';
import type { ChangePorts } from './change.js';
import { changeItem, type InItem, noteItem, storedItem } from './in-item.js';

export interface AddEvidence extends InItem {
  readonly url: string;
  readonly label: string;
}

export interface EvidenceAdded {
  readonly item: ChecklistItem;
  readonly evidence: Evidence;
}

/** Links evidence to an item. Role member. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export const addEvidence =
  (ports: ChangePorts) =>
  (command: AddEvidence): Promise<EvidenceAdded> =>
    changeItem(ports, command, async (changing) => {
      const { stores, item, now, newId, by } = changing;
      const { url, label } = command;
      const evidence = { id: newId(), url, label, addedBy: by.principal.name, addedAt: now };
      if (!(await stores.checklists.addEvidence(item.id, evidence))) throw notFound('checklist item');
      await noteItem(changing, 'evidence.add', { url, label });
      return { item: await storedItem(stores, item.id), evidence };
    });
