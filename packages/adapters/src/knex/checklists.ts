import {
  type ChecklistItem,
  type ChecklistState,
  type ChecklistTemplate,
  type CountedItem,
  DEFAULT_TEMPLATE,
  type Evidence,
  type Instant,
  type ItemOrigin,
  itemMove,
  type NotApplicableMark,
  type Removal,
} from '@shipworthy/domain';
import type { ChecklistStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { asJson } from './dialect.js';
import {
  type Access,
  boundMoment,
  groupedBy,
  insert,
  insertUnlessThere,
  removePortion,
  storeUnderFreeSlug,
  update,
} from './sql.js';

const insertEvidence = (access: Access, itemId: string, evidence: Evidence): Promise<void> =>
  insert(access, 'evidence', {
    id: evidence.id,
    item_id: itemId,
    url: evidence.url,
    label: evidence.label,
    added_by: evidence.addedBy,
    added_at: access.dialect.moment(evidence.addedAt),
  });

/** The columns that hold the mark of an item; all null without one. */
const markColumns = (access: Access, mark: NotApplicableMark | null) => ({
  reason: mark?.reason ?? null,
  marked_by: mark?.markedBy ?? null,
  marked_at: boundMoment(access, mark?.markedAt ?? null),
  confirmed_by: mark?.confirmedBy ?? null,
  confirmed_at: boundMoment(access, mark?.confirmedAt ?? null),
});

/** The columns of an item; its evidence has rows of its own. */
const itemColumns = (access: Access, item: ChecklistItem) => ({
  id: item.id,
  release_id: item.releaseId,
  key: item.key,
  title: item.title,
  origin: item.origin,
  state: item.state,
  ...markColumns(access, item.mark),
  position: item.position,
  version: item.version,
  updated_at: access.dialect.moment(item.updatedAt),
  updated_by: item.updatedBy,
  removed_by: item.removal?.removedBy ?? null,
  removed_at: boundMoment(access, item.removal?.removedAt ?? null),
});

/** Stores an item as it is, with its evidence. */
export const insertItem = async (access: Access, item: ChecklistItem): Promise<void> => {
  await insert(access, 'checklist_items', itemColumns(access, item));
  for (const evidence of item.evidence) await insertEvidence(access, item.id, evidence);
};

interface TemplateRow {
  readonly titles: string;
  readonly version: number;
  readonly changed_at: number;
  readonly changed_by: string;
}

const replaceTemplate = async (access: Access, projectId: string, next: ChecklistTemplate): Promise<boolean> => {
  const { titles, version, changedAt, changedBy } = next;
  if (changedAt === null) throw new TypeError('A template that was changed says when.');
  const columns = {
    version,
    titles: asJson(titles),
    changed_at: access.dialect.moment(changedAt),
    changed_by: changedBy,
  };
  // A project that never changed its template has no row, and the version of the default.
  if (version === DEFAULT_TEMPLATE.version + 1)
    return insertUnlessThere(access, 'checklist_templates', { project_id: projectId, ...columns }, 'project_id');
  const bindings = [projectId, version - 1];
  return (await update(access, 'checklist_templates', columns, 'project_id = ? and version = ?', bindings)) === 1;
};

/** The templates of projects, a part of the checklist store. */
const checklistTemplates = (access: Access): Pick<ChecklistStore, 'template' | 'replaceTemplate'> => ({
  template: async (projectId) => {
    const [row] = await access.read<TemplateRow>(
      'select titles, version, changed_at, changed_by from checklist_templates where project_id = ?',
      [projectId],
    );
    if (row === undefined) return DEFAULT_TEMPLATE;
    const titles = JSON.parse(row.titles) as readonly string[];
    return { titles, version: row.version, changedAt: row.changed_at, changedBy: row.changed_by };
  },
  replaceTemplate: (projectId, next) => replaceTemplate(access, projectId, next),
});

/** The columns by which an item counts. */
interface MarkRow {
  readonly state: ChecklistState;
  readonly reason: string | null;
  readonly marked_by: string | null;
  readonly marked_at: number | null;
  readonly confirmed_by: string | null;
  readonly confirmed_at: number | null;
}

interface ItemRow extends MarkRow {
  readonly id: string;
  readonly release_id: string;
  readonly key: string;
  readonly title: string;
  readonly origin: ItemOrigin;
  readonly position: number;
  readonly version: number;
  readonly updated_at: number;
  readonly updated_by: string | null;
  readonly removed_by: string;
  readonly removed_at: number | null;
  readonly evidence_id: string | null;
  readonly url: string;
  readonly label: string;
  readonly added_by: string;
  readonly added_at: number;
}

const MARK = 'i.state, i.reason, i.marked_by, i.marked_at, i.confirmed_by, i.confirmed_at';
const SELECT = `select i.id, i.release_id, i.key, i.title, i.origin, ${MARK}, i.position, i.version, i.updated_at,
    i.updated_by, i.removed_by, i.removed_at, e.id as evidence_id, e.url, e.label, e.added_by, e.added_at
  from checklist_items i left join evidence e on e.item_id = i.id`;
const IN_ORDER = 'order by i.position, i.id, e.added_at, e.id';

const evidenceOf = (row: ItemRow): readonly Evidence[] => {
  const { evidence_id: id, url, label, added_by: addedBy, added_at: addedAt } = row;
  return id === null ? [] : [{ id, url, label, addedBy, addedAt }];
};

const markOf = ({ state, reason, ...row }: MarkRow): NotApplicableMark | null => {
  const { marked_by: markedBy, marked_at: markedAt, confirmed_by: confirmedBy, confirmed_at: confirmedAt } = row;
  return state === 'not_applicable' ? { reason, markedBy, markedAt, confirmedBy, confirmedAt } : null;
};

const itemsOf = (rows: readonly ItemRow[]): readonly ChecklistItem[] =>
  [...groupedBy(rows, ({ id }) => id).values()].flatMap((ofItem) => {
    const [row] = ofItem;
    if (row === undefined) return [];
    const { id, release_id: releaseId, key, title, origin, state, position, version } = row;
    const { removed_by: removedBy, removed_at: removedAt } = row;
    return [
      {
        id,
        releaseId,
        key,
        title,
        origin,
        state,
        mark: markOf(row),
        position,
        evidence: ofItem.flatMap(evidenceOf),
        version,
        updatedAt: row.updated_at,
        updatedBy: row.updated_by,
        removal: removedAt === null ? null : { removedBy, removedAt },
      },
    ];
  });

type StoredItem = Pick<ItemRow, 'id' | 'title' | 'release_id'> & MarkRow;

/**
 * Changes an item by one statement and marks its release with what became of it; false when nothing was changed.
 * @param become what the item counts as before and after; null: it is not on the checklist
 */
const change = async (
  access: Access,
  itemId: string,
  at: Instant,
  become: (stored: CountedItem) => readonly [before: CountedItem | null, after: CountedItem | null],
  sql: string,
  bindings: readonly (string | number | null)[],
): Promise<boolean> => {
  const [stored] = await access.write<StoredItem>(
    `select i.id, i.release_id, i.title, ${MARK} from checklist_items i where i.id = ? ${access.dialect.forUpdate}`,
    [itemId],
  );
  const changed = await access.write(`${sql} returning id`, bindings);
  if (stored === undefined || changed.length === 0) return false;
  const { id, title, state } = stored;
  const [before, after] = become({ id, title, state, mark: markOf(stored) });
  await markRelease(access, stored.release_id, itemMove(before, after, at));
  return true;
};

const TOUCH = 'version = version + 1, updated_at = ?, updated_by = ?';

const touch = (access: Access, itemId: string, at: Instant, by: string): Promise<boolean> =>
  change(
    access,
    itemId,
    at,
    (item) => [item, item],
    `update checklist_items set ${TOUCH} where id = ? and removed_at is null`,
    [access.dialect.moment(at), by, itemId],
  );

const replace = (access: Access, next: ChecklistItem): Promise<boolean> => {
  const { id, title, state, mark, version, updatedAt, updatedBy } = next;
  const updated_at = access.dialect.moment(updatedAt);
  const columns = { title, state, ...markColumns(access, mark), version, updated_at, updated_by: updatedBy };
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  return access.atomically((inside) =>
    change(
      inside,
      id,
      updatedAt,
      (before) => [before, next],
      `update checklist_items set ${set.join(', ')} where id = ? and version = ? and removed_at is null`,
      [...Object.values(columns), id, version - 1],
    ),
  );
};

const remove = (access: Access, itemId: string, { removedAt, removedBy }: Removal): Promise<boolean> => {
  const at = access.dialect.moment(removedAt);
  return access.atomically((inside) =>
    change(
      inside,
      itemId,
      removedAt,
      (item) => [item, null],
      `update checklist_items set ${TOUCH}, removed_at = ?, removed_by = ? where id = ? and removed_at is null`,
      [at, removedBy, at, removedBy, itemId],
    ),
  );
};

const restore = (access: Access, itemId: string, at: Instant, by: string): Promise<boolean> =>
  access.atomically((inside) =>
    change(
      inside,
      itemId,
      at,
      (item) => [null, item],
      `update checklist_items set ${TOUCH}, removed_at = null, removed_by = null where id = ? and removed_at is not null`,
      [access.dialect.moment(at), by, itemId],
    ),
  );

const purgeRemoved = async (access: Access, before: Instant): Promise<number> => {
  const rows = `checklist_items t join releases r on r.id = t.release_id
    where t.removed_at < ? and r.state in ('shipped', 'canceled')`;
  let purged = 0;
  for (;;) {
    const gone = await removePortion(access, 'checklist_items', rows, 't.removed_at', [access.dialect.moment(before)]);
    if (gone === 0) return purged;
    purged += gone;
  }
};

const add = (access: Access, item: ChecklistItem): Promise<ChecklistItem> =>
  access.atomically(async (inside) => {
    const { id, releaseId, updatedAt } = item;
    // The revision comes first: what adds to the same release at the same time waits here, so that places differ.
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
    const gone = await inside.write(
      `delete from evidence where id = ?
        and item_id = (select i.id from checklist_items i where i.id = ? and i.removed_at is null) returning id`,
      [evidenceId, itemId],
    );
    return gone.length === 1 && touch(inside, itemId, at, by);
  });

export const checklistStore = (access: Access): ChecklistStore => ({
  ofRelease: async (releaseId) =>
    itemsOf(
      await access.read<ItemRow>(`${SELECT} where i.release_id = ? and i.removed_at is null ${IN_ORDER}`, [releaseId]),
    ),
  removedOf: async (releaseId) => {
    const rows = await access.read<ItemRow>(
      `${SELECT} where i.release_id = ? and i.removed_at is not null ${IN_ORDER}`,
      [releaseId],
    );
    return itemsOf(rows).flatMap((item) => (item.removal === null ? [] : [{ ...item, removal: item.removal }]));
  },
  byId: async (itemId) => {
    const rows = await access.read<ItemRow>(`${SELECT} where i.id = ? order by e.added_at, e.id`, [itemId]);
    return itemsOf(rows)[0];
  },
  add: (item) => add(access, item),
  replace: (next) => replace(access, next),
  remove: (itemId, removal) => remove(access, itemId, removal),
  restore: (itemId, at, by) => restore(access, itemId, at, by),
  purgeRemoved: (before) => purgeRemoved(access, before),
  addEvidence: (itemId, evidence) =>
    access.atomically(async (inside) => {
      if (!(await touch(inside, itemId, evidence.addedAt, evidence.addedBy))) return false;
      await insertEvidence(inside, itemId, evidence);
      return true;
    }),
  removeEvidence: (itemId, evidenceId, at, by) => removeEvidence(access, itemId, evidenceId, at, by),
  ...checklistTemplates(access),
});
