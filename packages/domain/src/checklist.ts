import { DomainError, type Fault, invalid } from './errors.js';
import { isExplanation, itemKey } from './names.js';
import type { Instant } from './time.js';

export const CHECKLIST_STATES = ['open', 'done', 'not_applicable'] as const;
export type ChecklistState = (typeof CHECKLIST_STATES)[number];

/** A link that shows that an item is really done. */
export interface Evidence {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly addedBy: string;
  readonly addedAt: Instant;
}

/** Where an item comes from: the project's checklist template, or a person who added it to the release. */
export type ItemOrigin = 'template' | 'added';

/** The statement that an item does not apply to its release. The item counts as open until an owner has confirmed it. */
export interface NotApplicableMark {
  /** Why, 1-500 characters; null: marked before reasons were recorded. */
  readonly reason: string | null;
  /** Name of the person who marked it or gave it its reason; null: marked before that was recorded. */
  readonly markedBy: string | null;
  readonly markedAt: Instant | null;
  /** Name of the owner who confirmed it; null: not confirmed, or marked before confirmations were needed. */
  readonly confirmedBy: string | null;
  /** Since when the item no longer counts; null: it awaits an owner. */
  readonly confirmedAt: Instant | null;
}

/** Who removed an item from its release, and when. */
export interface Removal {
  readonly removedBy: string;
  readonly removedAt: Instant;
}

/** One line of a release's launch checklist. */
export interface ChecklistItem {
  readonly id: string;
  readonly releaseId: string;
  /** Stable within the release: made from the first title. */
  readonly key: string;
  readonly title: string;
  readonly origin: ItemOrigin;
  readonly state: ChecklistState;
  /** null unless the state is `not_applicable`. */
  readonly mark: NotApplicableMark | null;
  /** Place in the list, from 0. */
  readonly position: number;
  readonly evidence: readonly Evidence[];
  readonly version: number;
  readonly updatedAt: Instant;
  /** Name of the person who last changed it; null: as created with the release. */
  readonly updatedBy: string | null;
  /** null: the item is on the checklist. */
  readonly removal: Removal | null;
}

/** An item that was removed from its release. */
export type RemovedItem = ChecklistItem & { readonly removal: Removal };

/** Whether an item is not applicable, and no owner has confirmed that since it was marked or since a member last renamed it. */
export const awaitsConfirmation = ({ state, mark }: Pick<ChecklistItem, 'state' | 'mark'>): boolean =>
  state === 'not_applicable' && mark?.confirmedAt == null;

/** The state an item counts with: a mark that awaits an owner counts as open. */
export const countedState = (item: Pick<ChecklistItem, 'state' | 'mark'>): ChecklistState =>
  awaitsConfirmation(item) ? 'open' : item.state;

/** How many items a release may have, removed ones included: they are read together with each report. */
export const MOST_CHECKLIST_ITEMS = 500;

/** Most evidence links of one item; bounded because one answer lists all items with their links. */
export const MOST_EVIDENCE = 20;
/** Most evidence links of a release, removed items included; bounded because one answer holds its whole checklist. */
export const MOST_EVIDENCE_OF_RELEASE = 500;

/**
 * Stores checklists. Every change of an item or its evidence marks the release as changed and counts up its version.
 */
export interface ChecklistStore {
  /** All items that are not removed, in list order, each with its evidence, oldest first (addedAt, then id). */
  ofRelease(releaseId: string): Promise<readonly ChecklistItem[]>;
  /** The removed items of a release that are still kept, with their evidence, in list order. */
  removedOf(releaseId: string): Promise<readonly RemovedItem[]>;
  /** How many items the release has, removed ones included. */
  count(releaseId: string): Promise<number>;
  /** How many evidence links the release's items have, removed items included. */
  countEvidence(releaseId: string): Promise<number>;
  /** The item, whether removed or not. */
  byId(itemId: string): Promise<ChecklistItem | undefined>;
  /**
   * Adds the item at the end and ignores its `position`; appends a number to the key when another item, even a removed one, has
   * it. Answers the item as stored.
   */
  add(item: ChecklistItem): Promise<ChecklistItem>;
  /**
   * Stores title, state, mark, and who changed them and when; nothing else of `next`. False, and nothing is stored, if
   * the item is removed or its stored version is not `next.version - 1`.
   */
  replace(next: ChecklistItem): Promise<boolean>;
  /** Takes the item off the checklist and keeps it with its evidence; false when there is none, or it is removed already. */
  remove(itemId: string, removal: Removal): Promise<boolean>;
  /** Puts a removed item back to its place, as it was; false when there is none, or it is not removed. */
  restore(itemId: string, at: Instant, by: string): Promise<boolean>;
  /** Deletes the items that were removed before the moment from releases that are shipped or canceled, with their evidence. Answers how many. */
  purgeRemoved(before: Instant): Promise<number>;
  /** Adds evidence, as a change by `addedBy` at `addedAt`; false when the item does not exist or is removed. */
  addEvidence(itemId: string, evidence: Evidence): Promise<boolean>;
  /** Removes evidence; false when the item or the evidence does not exist, or the item is removed. */
  removeEvidence(itemId: string, evidenceId: string, at: Instant, by: string): Promise<boolean>;
  /** What new releases of a project start with; DEFAULT_TEMPLATE unless it was replaced. */
  template(projectId: string): Promise<ChecklistTemplate>;
  /** Stores the next template if the stored version is `next.version - 1`. No release is marked as changed. */
  replaceTemplate(projectId: string, next: ChecklistTemplate): Promise<boolean>;
}

/** What the launch checklist of a project's new releases starts with. */
export interface ChecklistTemplate {
  /** The titles in list order, each once; 50 at most. */
  readonly titles: readonly string[];
  readonly version: number;
  /** null: never changed. */
  readonly changedAt: Instant | null;
  readonly changedBy: string | null;
}

/** The template of a project until an owner changes it. */
export const DEFAULT_TEMPLATE: ChecklistTemplate = Object.freeze({
  titles: Object.freeze(['Docs', 'Feature flag', 'Rollback']),
  version: 1,
  changedAt: null,
  changedBy: null,
});

interface NewItem {
  readonly id: string;
  readonly releaseId: string;
  readonly title: string;
  readonly origin: ItemOrigin;
  readonly at: Instant;
  readonly by: string | null;
}

/** A new open item at the first place, its key made from its title. */
export const openItem = ({ id, releaseId, title, origin, at, by }: NewItem): ChecklistItem => ({
  id,
  releaseId,
  key: itemKey(title),
  title,
  origin,
  state: 'open',
  mark: null,
  position: 0,
  evidence: [],
  version: 1,
  updatedAt: at,
  updatedBy: by,
  removal: null,
});

/** The items a release starts with, in the template's order. Titles that make the same key get a number behind it: `docs`, `docs_2`. */
export const firstChecklist = (
  { titles }: ChecklistTemplate,
  releaseId: string,
  at: Instant,
  newId: () => string,
): readonly ChecklistItem[] => {
  const taken = new Set<string>();
  return titles.map((title, position) => {
    const item = openItem({ id: newId(), releaseId, title, origin: 'template', at, by: null });
    let key = item.key;
    for (let number = 2; taken.has(key); number += 1) key = `${item.key}_${number}`;
    taken.add(key);
    return { ...item, key, position };
  });
};

/** The members of an item that may be edited; missing ones stay. The key always stays. */
export interface ItemEdit {
  readonly title?: string;
  readonly state?: ChecklistState;
  /** Why the item does not apply. */
  readonly reason?: string;
}

/** Who edits an item, and when. */
export interface Editor {
  readonly name: string;
  readonly isOwner: boolean;
  readonly at: Instant;
}

const fault = (code: string, message: string): Fault => ({ pointer: '/reason', code, message });

/** Faults of an edit that do not depend on the item: marking it as not applicable needs a reason, another state takes none. */
export const editFaults = ({ state, reason }: ItemEdit): readonly Fault[] => {
  const isMissing = reason === undefined ? state === 'not_applicable' : !isExplanation(reason);
  if (isMissing) return [fault('required', 'Say why the item does not apply')];
  if (state === undefined || state === 'not_applicable' || reason === undefined) return [];
  return [fault('does_not_fit', 'Only an item that does not apply has a reason')];
};

const markedBy = ({ name, isOwner, at }: Editor, reason: string): NotApplicableMark => ({
  reason,
  markedBy: name,
  markedAt: at,
  confirmedBy: isOwner ? name : null,
  confirmedAt: isOwner ? at : null,
});

/** The mark after an edit that leaves or makes the item not applicable. */
const nextMark = (item: ChecklistItem, { title, reason }: ItemEdit, editor: Editor): NotApplicableMark | null => {
  const { mark } = item;
  const isConfirming = editor.isOwner && mark?.confirmedAt === null;
  if (reason !== undefined && (reason !== mark?.reason || isConfirming)) return markedBy(editor, reason);
  // An owner confirmed the item under its title; renamed by anybody else, it has to be confirmed again.
  const isRenamed = title !== undefined && title !== item.title;
  return isRenamed && !editor.isOwner && mark !== null ? { ...mark, confirmedBy: null, confirmedAt: null } : mark;
};

/**
 * Returns the item as edited. A mark that an owner makes is confirmed at once. A mark that another person makes awaits
 * an owner, and so does one whose reason or title such a person changes. Any other state clears the mark.
 * @throws DomainError `invalid` for a reason of an item that applies
 */
export const editedItem = (item: ChecklistItem, edit: ItemEdit, editor: Editor): ChecklistItem => {
  const state = edit.state ?? item.state;
  if (edit.reason !== undefined) {
    const faults = editFaults({ state, reason: edit.reason });
    if (faults.length > 0) throw invalid(faults);
  }
  return {
    ...item,
    title: edit.title ?? item.title,
    state,
    mark: state === 'not_applicable' ? nextMark(item, edit, editor) : null,
    version: item.version + 1,
    updatedAt: editor.at,
    updatedBy: editor.name,
  };
};

/** The item with its mark confirmed by an owner; the item itself when it is confirmed already. @throws DomainError `not-marked` */
export const confirmedItem = (item: ChecklistItem, { name, at }: Pick<Editor, 'name' | 'at'>): ChecklistItem => {
  if (item.state !== 'not_applicable' || item.mark === null)
    throw new DomainError('not-marked', `${item.title} is not marked as not applicable.`);
  if (item.mark.confirmedAt !== null) return item;
  const mark = { ...item.mark, confirmedBy: name, confirmedAt: at };
  return { ...item, mark, version: item.version + 1, updatedAt: at, updatedBy: name };
};

/** How long a removed item can be restored, in milliseconds. */
export const RESTORABLE_MS = 30 * 24 * 3_600_000;

/** The first moment at which a removed item can no longer be restored. */
export const restorableUntil = ({ removedAt }: Removal): Instant => removedAt + RESTORABLE_MS;

/**
 * Demands an item that was added by hand: those of the template are not removed. @throws DomainError `template-item`
 */
export const requireAdded = ({ title, origin }: ChecklistItem): void => {
  if (origin === 'added') return;
  const instead = 'mark it as not applicable, with a reason, instead';
  throw new DomainError('template-item', `${title} comes from the project's checklist template; ${instead}.`);
};

/** Demands that a removed item can still be restored. @throws DomainError `not-restorable` */
export const requireRestorable = ({ title, removal }: RemovedItem, now: Instant): void => {
  if (now < restorableUntil(removal)) return;
  throw new DomainError('not-restorable', `${title} was removed 30 days ago or more; add it again instead.`);
};
