import { type ChecklistItem, type ChecklistStore, itemMove } from '@shipworthy/domain';
import { mark } from './mark.js';
import { ascending, numbered } from './order.js';
import type { TableAccess } from './table-access.js';
import type { Tables } from './tables.js';

const itemsOf = (tables: Tables, releaseId: string): readonly ChecklistItem[] =>
  ascending(tables.items.where('release', releaseId), ({ position, id }) => [position, id]);

const store = (tables: Tables, item: ChecklistItem): void => {
  const before = tables.items.get(item.id) ?? null;
  tables.items.put(item.id, item);
  mark(tables, item.releaseId, itemMove(before, item, item.updatedAt));
};

export const checklistStore = ({ read, change }: TableAccess): ChecklistStore => ({
  ofRelease: (releaseId) => read((tables) => itemsOf(tables, releaseId)),
  byId: (itemId) => read(({ items }) => items.get(itemId)),
  add: (item) =>
    change((tables) => {
      const items = itemsOf(tables, item.releaseId);
      const key = numbered(item.key, (candidate) => items.some((other) => other.key === candidate));
      const stored = { ...item, key, position: (items.at(-1)?.position ?? -1) + 1 };
      store(tables, stored);
      return stored;
    }),
  replace: ({ id, version, title, state, updatedAt, updatedBy }) =>
    change((tables) => {
      const before = tables.items.get(id);
      if (before?.version !== version - 1) return false;
      store(tables, { ...before, version, title, state, updatedAt, updatedBy });
      return true;
    }),
  remove: (itemId, at) =>
    change((tables) => {
      const item = tables.items.get(itemId);
      if (item === undefined) return false;
      tables.items.remove(itemId);
      mark(tables, item.releaseId, itemMove(item, null, at));
      return true;
    }),
  addEvidence: (itemId, evidence) =>
    change((tables) => {
      const item = tables.items.get(itemId);
      if (item === undefined) return false;
      const all = ascending([...item.evidence, evidence], ({ addedAt, id }) => [addedAt, id]);
      const { addedAt: updatedAt, addedBy: updatedBy } = evidence;
      store(tables, { ...item, evidence: all, version: item.version + 1, updatedAt, updatedBy });
      return true;
    }),
  removeEvidence: (itemId, evidenceId, at, by) =>
    change((tables) => {
      const item = tables.items.get(itemId);
      const left = item?.evidence.filter(({ id }) => id !== evidenceId) ?? [];
      if (item === undefined || left.length === item.evidence.length) return false;
      store(tables, { ...item, evidence: left, version: item.version + 1, updatedAt: at, updatedBy: by });
      return true;
    }),
});
