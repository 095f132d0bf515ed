import { type ChecklistItem, DEFAULT_TEMPLATE, evidenceMove, isClosed, itemMove } from '@shipworthy/domain';
import type { ChecklistStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { ascending, numbered } from './table.js';
import type { TableAccess, Tables } from './tables.js';

/** All items of a release in list order, the removed ones too. */
const itemsOf = (tables: Tables, releaseId: string): readonly ChecklistItem[] =>
  ascending(tables.items.where('release', releaseId), ({ position, id }) => [position, id]);

/** The item, unless it was removed. */
const presentItem = ({ items }: Tables, itemId: string): ChecklistItem | undefined => {
  const item = items.get(itemId);
  return item?.removal === null ? item : undefined;
};

const store = (tables: Tables, item: ChecklistItem): void => {
  const before = presentItem(tables, item.id) ?? null;
  tables.items.put(item.id, item);
  markRelease(tables, item.releaseId, itemMove(before, item.removal === null ? item : null, item.updatedAt));
};

/** Stores the item with other evidence. */
const storeEvidence = (
  tables: Tables,
  item: ChecklistItem,
  what: 'evidence_added' | 'evidence_removed',
  changed: Pick<ChecklistItem, 'evidence' | 'updatedAt' | 'updatedBy'>,
): void => {
  tables.items.put(item.id, { ...item, ...changed, version: item.version + 1 });
  markRelease(tables, item.releaseId, evidenceMove(item.id, what, changed.updatedAt));
};

export const checklistStore = ({ read, change }: TableAccess): ChecklistStore => ({
  ofRelease: (releaseId) => read((tables) => itemsOf(tables, releaseId).filter(({ removal }) => removal === null)),
  removedOf: (releaseId) =>
    read((tables) =>
      itemsOf(tables, releaseId).flatMap((item) => (item.removal === null ? [] : [{ ...item, removal: item.removal }])),
    ),
  count: (releaseId) => read((tables) => itemsOf(tables, releaseId).length),
  countEvidence: (releaseId) =>
    read((tables) => itemsOf(tables, releaseId).reduce((sum, { evidence }) => sum + evidence.length, 0)),
  byId: (itemId) => read(({ items }) => items.get(itemId)),
  add: (item) =>
    change((tables) => {
      const items = itemsOf(tables, item.releaseId);
      const key = numbered(item.key, (candidate) => items.some((other) => other.key === candidate));
      const stored = { ...item, key, position: (items.at(-1)?.position ?? -1) + 1 };
      store(tables, stored);
      return stored;
    }),
  replace: ({ id, version, title, state, mark: notApplicable, updatedAt, updatedBy }) =>
    change((tables) => {
      const before = presentItem(tables, id);
      if (before?.version !== version - 1) return false;
      store(tables, { ...before, version, title, state, mark: notApplicable, updatedAt, updatedBy });
      return true;
    }),
  remove: (itemId, removal) =>
    change((tables) => {
      const item = presentItem(tables, itemId);
      if (item === undefined) return false;
      const { removedAt: updatedAt, removedBy: updatedBy } = removal;
      store(tables, { ...item, version: item.version + 1, updatedAt, updatedBy, removal });
      return true;
    }),
  restore: (itemId, at, by) =>
    change((tables) => {
      const item = tables.items.get(itemId);
      if (item === undefined || item.removal === null) return false;
      store(tables, { ...item, version: item.version + 1, updatedAt: at, updatedBy: by, removal: null });
      return true;
    }),
  purgeRemoved: (before) =>
    change(({ items, releases }) => {
      const gone = items.all().filter(({ releaseId, removal }) => {
        const release = releases.get(releaseId);
        return removal !== null && removal.removedAt < before && release !== undefined && isClosed(release);
      });
      for (const { id } of gone) items.remove(id);
      return gone.length;
    }),
  addEvidence: (itemId, evidence) =>
    change((tables) => {
      const item = presentItem(tables, itemId);
      if (item === undefined) return false;
      const all = ascending([...item.evidence, evidence], ({ addedAt, id }) => [addedAt, id]);
      const { addedAt: updatedAt, addedBy: updatedBy } = evidence;
      storeEvidence(tables, item, 'evidence_added', { evidence: all, updatedAt, updatedBy });
      return true;
    }),
  removeEvidence: (itemId, evidenceId, at, by) =>
    change((tables) => {
      const item = presentItem(tables, itemId);
      const left = item?.evidence.filter(({ id }) => id !== evidenceId) ?? [];
      if (item === undefined || left.length === item.evidence.length) return false;
      storeEvidence(tables, item, 'evidence_removed', { evidence: left, updatedAt: at, updatedBy: by });
      return true;
    }),
  template: (projectId) => read(({ checklistTemplates }) => checklistTemplates.get(projectId) ?? DEFAULT_TEMPLATE),
  replaceTemplate: (projectId, next) =>
    change(({ checklistTemplates }) => {
      const before = checklistTemplates.get(projectId) ?? DEFAULT_TEMPLATE;
      if (before.version !== next.version - 1) return false;
      checklistTemplates.put(projectId, next);
      return true;
    }),
});
