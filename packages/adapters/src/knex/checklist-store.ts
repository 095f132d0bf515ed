import {
  type ChecklistItem,
  type ChecklistState,
  type ChecklistStore,
  type CountedItem,
  type Evidence,
  type Instant,
  itemMove,
} from '@shipworthy/domain';
import type { Access } from './access.js';
import { insertEvidence, itemColumns } from './checklist-item-row.js';
import { grouped } from './grouped.js';
import { markRelease } from './marks.js';
import { storeUnderFreeSlug } from './numbered-slug.js';
import { insertUnlessThere } from './sql.js';

interface ItemRow {
  readonly id: string;
  readonly release_id: string;
  readonly key: string;
  readonly title: string;
  readonly state: ChecklistState;
  readonly position: number;
  readonly version: number;
  readonly updated_at: number;
  readonly updated_by: string | null;
  readonly evidence_id: string | null;
  readonly url: string;
  readonly label: string;
  readonly added_by: string;
  readonly added_at: number;
}

const SELECT = `select i.id, i.release_id, i.key, i.title, i.state, i.position, i.version, i.updated_at, i.updated_by,
    e.id as evidence_id, e.url, e.label, e.added_by, e.added_at
  from checklist_items i left join evidence e on e.item_id = i.id`;

const evidenceOf = (row: ItemRow): readonly Evidence[] => {
  const { evidence_id: id, url, label, added_by: addedBy, added_at: addedAt } = row;
  return id === null ? [] : [{ id, url, label, addedBy, addedAt }];
};

const itemsOf = (rows: readonly ItemRow[]): readonly ChecklistItem[] =>
  [...grouped(rows, ({ id }) => id).values()].flatMap((ofItem) => {
    const [row] = ofItem;
    if (row === undefined) return [];
    const { id, release_id: releaseId, key, title, state, position, version } = row;
    const changed = { updatedAt: row.updated_at, updatedBy: row.updated_by };
    return [{ id, releaseId, key, title, state, position, evidence: ofItem.flatMap(evidenceOf), version, ...changed }];
  });

type StoredItem = CountedItem & { readonly release_id: string };

/** Changes an item by one statement and marks its release with what became of it; false when nothing was changed. */
const change = async (
  access: Access,
  itemId: string,
  at: Instant,
  become: (before: CountedItem) => CountedItem | null,
  sql: string,
  bindings: readonly (string | number | null)[],
): Promise<boolean> => {
  const [before] = await access.write<StoredItem>(
    `select id, release_id, title, state from checklist_items where id = ? ${access.dialect.forUpdate}`,
    [itemId],
  );
  const changed = await access.write(`${sql} returning id`, bindings);
  if (before === undefined || changed.length === 0) return false;
  await markRelease(access, before.release_id, itemMove(before, become(before), at));
  return true;
};

const touch = (access: Access, itemId: string, at: Instant, by: string): Promise<boolean> =>
  change(
    access,
    itemId,
    at,
    (before) => before,
    'update checklist_items set version = version + 1, updated_at = ?, updated_by = ? where id = ?',
    [access.dialect.moment(at), by, itemId],
  );

const add = (access: Access, item: ChecklistItem): Promise<ChecklistItem> =>
  access.atomically(async (inside) => {
    const { id, releaseId, updatedAt } = item;
    // The mark comes first: whoever adds to the same release at the same time waits here, so that places differ.
    await markRelease(inside, releaseId, itemMove(null, item, updatedAt));
    const there = await inside.read<{ key: string; position: number }>(
      'select key, position from checklist_items where release_id = ?',
      [releaseId],
    );
    const position = there.reduce((next, row) => Math.max(next, row.position + 1), 0);
    const key = await storeUnderFreeSlug(
      item.key,
      there.map((row) => row.key),
      (free) =>
        insertUnlessThere(
          inside,
          'checklist_items',
          itemColumns(access, { ...item, key: free, position }),
          'release_id, key',
        ),
      '_',
    );
    for (const evidence of item.evidence) await insertEvidence(inside, id, evidence);
    return { ...item, key, position };
  });

const removeEvidence = (access: Access, itemId: string, evidenceId: string, at: Instant, by: string) =>
  access.atomically(async (inside) => {
    const gone = await inside.write('delete from evidence where id = ? and item_id = ? returning id', [
      evidenceId,
      itemId,
    ]);
    return gone.length === 1 && touch(inside, itemId, at, by);
  });

export const checklistStore = (access: Access): ChecklistStore => ({
  ofRelease: async (releaseId) =>
    itemsOf(
      await access.read<ItemRow>(`${SELECT} where i.release_id = ? order by i.position, i.id, e.added_at, e.id`, [
        releaseId,
      ]),
    ),
  byId: async (itemId) => {
    const rows = await access.read<ItemRow>(`${SELECT} where i.id = ? order by e.added_at, e.id`, [itemId]);
    return itemsOf(rows)[0];
  },
  add: (item) => add(access, item),
  replace: ({ id, title, state, version, updatedAt, updatedBy }) => {
    const sql = `update checklist_items set title = ?, state = ?, version = ?, updated_at = ?, updated_by = ?
      where id = ? and version = ?`;
    const bindings = [title, state, version, access.dialect.moment(updatedAt), updatedBy, id, version - 1];
    return access.atomically((inside) => change(inside, id, updatedAt, () => ({ id, title, state }), sql, bindings));
  },
  remove: (itemId, at) =>
    access.atomically((inside) =>
      change(inside, itemId, at, () => null, 'delete from checklist_items where id = ?', [itemId]),
    ),
  addEvidence: (itemId, evidence) =>
    access.atomically(async (inside) => {
      if (!(await touch(inside, itemId, evidence.addedAt, evidence.addedBy))) return false;
      await insertEvidence(inside, itemId, evidence);
      return true;
    }),
  removeEvidence: (itemId, evidenceId, at, by) => removeEvidence(access, itemId, evidenceId, at, by),
});
