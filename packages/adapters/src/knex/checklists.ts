import {
  type ChecklistItem,
  type ChecklistState,
  type ChecklistTemplate,
  type CountedItem,
  DEFAULT_TEMPLATE,
  type Evidence,
  evidenceMove,
  type Instant,
  type ItemOrigin,
  itemMove,
  type NotApplicableMark,
  type Removal,
} from '@shipworthy/domain';
import type { ChecklistStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log-sql.js';
import { asJson } from './dialect.js';
import { query, type TableOf } from './query.js';
import { type Access, boundMoment, groupedBy, removePortion, storeUnderFreeSlug } from './sql.js';

interface ItemColumns extends MarkRow {
  readonly id: string;
  readonly release_id: string;
  readonly key: string;
  readonly title: string;
  readonly origin: ItemOrigin;
  readonly position: number;
  readonly version: number;
  readonly updated_at: number;
  readonly updated_by: string | null;
  readonly removed_by: string | null;
  readonly removed_at: number | null;
}

interface EvidenceColumns {
  readonly id: string;
  readonly item_id: string;
  readonly url: string;
  readonly label: string;
  readonly added_by: string;
  readonly added_at: number;
}

interface TemplateColumns {
  readonly project_id: string;
  readonly version: number;
  readonly titles: string;
  readonly changed_at: number;
  readonly changed_by: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    checklist_items: TableOf<ItemColumns, 'updated_at' | 'removed_at' | 'marked_at' | 'confirmed_at'>;
    evidence: TableOf<EvidenceColumns, 'added_at'>;
    checklist_templates: TableOf<TemplateColumns, 'changed_at'>;
  }
}

const insertEvidence = async (access: Access, itemId: string, evidence: Evidence): Promise<void> => {
  await query(access)
    .from('evidence')
    .insert({
      id: evidence.id,
      item_id: itemId,
      url: evidence.url,
      label: evidence.label,
      added_by: evidence.addedBy,
      added_at: access.dialect.moment(evidence.addedAt),
    });
};

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
  await query(access).from('checklist_items').insert(itemColumns(access, item));
  for (const evidence of item.evidence) await insertEvidence(access, item.id, evidence);
};

const replaceTemplate = async (access: Access, projectId: string, next: ChecklistTemplate): Promise<boolean> => {
  const { titles, version, changedAt, changedBy } = next;
  if (changedAt === null || changedBy === null)
    throw new TypeError('A template that was changed says when and by whom.');
  const changed_at = access.dialect.moment(changedAt);
  const columns = { version, titles: asJson(titles), changed_at, changed_by: changedBy };
  const templates = query(access).from('checklist_templates');
  // A project that never changed its template has no row; it has the version of the default template.
  if (version !== DEFAULT_TEMPLATE.version + 1)
    return (await templates.where({ project_id: projectId, version: version - 1 }).update(columns)) === 1;
  const first = { project_id: projectId, ...columns };
  return (await templates.insert(first, ['project_id']).onConflict('project_id').ignore()).length === 1;
};

/** The templates of projects, a part of the checklist store. */
const checklistTemplates = (access: Access): Pick<ChecklistStore, 'template' | 'replaceTemplate'> => ({
  template: async (projectId) => {
    const row = await query(access).from('checklist_templates').where('project_id', projectId).first();
    if (row === undefined) return DEFAULT_TEMPLATE;
    const titles = JSON.parse(row.titles) as readonly string[];
    return { titles, version: row.version, changedAt: row.changed_at, changedBy: row.changed_by };
  },
  replaceTemplate: (projectId, next) => replaceTemplate(access, projectId, next),
});

/** The columns that decide how an item counts. */
interface MarkRow {
  readonly state: ChecklistState;
  readonly reason: string | null;
  readonly marked_by: string | null;
  readonly marked_at: number | null;
  readonly confirmed_by: string | null;
  readonly confirmed_at: number | null;
}

/** A row of an item with one piece of its evidence; `removed_by` is read only where `removed_at` is set. */
interface ItemRow extends Omit<ItemColumns, 'removed_by'> {
  readonly removed_by: string;
  readonly evidence_id: string | null;
  readonly url: string;
  readonly label: string;
  readonly added_by: string;
  readonly added_at: number;
}

/** Items with their evidence, in order; conditions on `i` may be added. */
const items = (access: Access) =>
  query(access)
    .from('checklist_items as i')
    .leftJoin('evidence as e', 'e.item_id', 'i.id')
    .orderBy(['i.position', 'i.id', 'e.added_at', 'e.id'])
    .select<ItemRow[]>(
      ...['i.id', 'i.release_id', 'i.key', 'i.title', 'i.origin', 'i.state', 'i.reason', 'i.marked_by', 'i.marked_at'],
      ...['i.confirmed_by', 'i.confirmed_at', 'i.position', 'i.version', 'i.updated_at', 'i.updated_by'],
      ...['i.removed_by', 'i.removed_at', 'e.id as evidence_id', 'e.url', 'e.label', 'e.added_by', 'e.added_at'],
    );

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

/** Selects an item for a change: only if it is on the checklist, or only if it was removed. */
const item = (access: Access, itemId: string, is: 'listed' | 'removed') => {
  const one = query(access).from('checklist_items').where('id', itemId);
  return is === 'listed' ? one.whereNull('removed_at') : one.whereNotNull('removed_at');
};

/**
 * Runs an update of an item and marks its release as changed; returns false when no row was changed.
 * @param become returns the item as it counts before and after the update; null: it is not on the checklist
 * @param changing the update, which is sent when it is awaited; yields how many rows were changed
 */
const change = async (
  access: Access,
  itemId: string,
  at: Instant,
  become: (stored: CountedItem) => readonly [before: CountedItem | null, after: CountedItem | null],
  changing: PromiseLike<number>,
): Promise<boolean> => {
  const stored = await query(access)
    .from('checklist_items')
    .where('id', itemId)
    .forUpdate()
    .first(
      ...(['id', 'release_id', 'title', 'state', 'reason', 'marked_by'] as const),
      ...(['marked_at', 'confirmed_by', 'confirmed_at'] as const),
    );
  // A knex statement is sent when it is awaited: this update runs after the row was locked.
  const changed = await changing;
  if (stored === undefined || changed === 0) return false;
  const { id, title, state } = stored;
  const [before, after] = become({ id, title, state, mark: markOf(stored) });
  await markRelease(access, stored.release_id, itemMove(before, after, at));
  return true;
};

/** Marks an item as changed because its evidence changed. Returns false when no such item is on a checklist. */
const touch = async (
  access: Access,
  itemId: string,
  what: 'evidence_added' | 'evidence_removed',
  at: Instant,
  by: string,
): Promise<boolean> => {
  const columns = { updated_at: access.dialect.moment(at), updated_by: by };
  const [touched] = await item(access, itemId, 'listed').increment('version').update(columns, ['release_id']);
  if (touched === undefined) return false;
  await markRelease(access, touched.release_id, evidenceMove(itemId, what, at));
  return true;
};

const replace = (access: Access, next: ChecklistItem): Promise<boolean> => {
  const { id, title, state, mark, version, updatedAt, updatedBy } = next;
  const updated_at = access.dialect.moment(updatedAt);
  const columns = { title, state, ...markColumns(access, mark), version, updated_at, updated_by: updatedBy };
  return access.atomically((inside) => {
    const changing = item(inside, id, 'listed')
      .where('version', version - 1)
      .update(columns);
    return change(inside, id, updatedAt, (before) => [before, next], changing);
  });
};

const remove = (access: Access, itemId: string, { removedAt, removedBy }: Removal): Promise<boolean> => {
  const at = access.dialect.moment(removedAt);
  const columns = { updated_at: at, updated_by: removedBy, removed_at: at, removed_by: removedBy };
  return access.atomically((inside) => {
    const changing = item(inside, itemId, 'listed').increment('version').update(columns);
    return change(inside, itemId, removedAt, (stored) => [stored, null], changing);
  });
};

const restore = (access: Access, itemId: string, at: Instant, by: string): Promise<boolean> => {
  const columns = { updated_at: access.dialect.moment(at), updated_by: by, removed_at: null, removed_by: null };
  return access.atomically((inside) => {
    const changing = item(inside, itemId, 'removed').increment('version').update(columns);
    return change(inside, itemId, at, (stored) => [null, stored], changing);
  });
};

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
    // Marks the release first: another addition to the same release waits here, so that the two get different positions.
    await markRelease(inside, releaseId, itemMove(null, item, updatedAt));
    const there = await query(inside).from('checklist_items').where('release_id', releaseId).select('key', 'position');
    const position = there.reduce((next, row) => Math.max(next, row.position + 1), 0);
    const key = await storeUnderFreeSlug(
      item.key,
      there.map((row) => row.key),
      async (free) => {
        const stored = await query(inside)
          .from('checklist_items')
          .insert(itemColumns(access, { ...item, key: free, position }), ['id'])
          .onConflict(['release_id', 'key'])
          .ignore();
        return stored.length === 1;
      },
      '_',
    );
    for (const evidence of item.evidence) await insertEvidence(inside, id, evidence);
    return { ...item, key, position };
  });

const removeEvidence = (access: Access, itemId: string, evidenceId: string, at: Instant, by: string) =>
  access.atomically(async (inside) => {
    const listed = item(inside, itemId, 'listed').select('id');
    const gone = await query(inside).from('evidence').where('id', evidenceId).whereIn('item_id', listed).delete();
    return gone === 1 && touch(inside, itemId, 'evidence_removed', at, by);
  });

export const checklistStore = (access: Access): ChecklistStore => ({
  ofRelease: async (releaseId) =>
    itemsOf(await items(access).where('i.release_id', releaseId).whereNull('i.removed_at')),
  removedOf: async (releaseId) => {
    const rows = await items(access).where('i.release_id', releaseId).whereNotNull('i.removed_at');
    return itemsOf(rows).flatMap((removed) =>
      removed.removal === null ? [] : [{ ...removed, removal: removed.removal }],
    );
  },
  count: async (releaseId) => {
    const all = query(access).from('checklist_items').where('release_id', releaseId);
    const [counted] = await all.count<{ readonly held: number }[]>({ held: '*' });
    return Number(counted?.held ?? 0);
  },
  countEvidence: async (releaseId) => {
    const linked = query(access).from('evidence as e').join('checklist_items as i', 'i.id', 'e.item_id');
    const [counted] = await linked.where('i.release_id', releaseId).count<{ readonly held: number }[]>({ held: '*' });
    return Number(counted?.held ?? 0);
  },
  byId: async (itemId) => itemsOf(await items(access).where('i.id', itemId))[0],
  add: (next) => add(access, next),
  replace: (next) => replace(access, next),
  remove: (itemId, removal) => remove(access, itemId, removal),
  restore: (itemId, at, by) => restore(access, itemId, at, by),
  purgeRemoved: (before) => purgeRemoved(access, before),
  addEvidence: (itemId, evidence) =>
    access.atomically(async (inside) => {
      if (!(await touch(inside, itemId, 'evidence_added', evidence.addedAt, evidence.addedBy))) return false;
      await insertEvidence(inside, itemId, evidence);
      return true;
    }),
  removeEvidence: (itemId, evidenceId, at, by) => removeEvidence(access, itemId, evidenceId, at, by),
  ...checklistTemplates(access),
});
