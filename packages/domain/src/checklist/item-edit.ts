import { DomainError, type Fault, invalid } from '../errors.js';
import { isExplanation } from '../explanation.js';
import type { Instant } from '../instant.js';
import type { ChecklistItem, ChecklistState, NotApplicableMark } from './checklist-item.js';

/** What may be edited; what is left out stays. The key stays in any case. */
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

/** What an edit lacks or has too much of, whatever the item: marking it as not applicable needs a reason, another state takes none. */
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
  // An owner confirmed the item under its title: a person who is no owner must not put another one in its place.
  const isRenamed = title !== undefined && title !== item.title;
  return isRenamed && !editor.isOwner && mark !== null ? { ...mark, confirmedBy: null, confirmedAt: null } : mark;
};

/**
 * The item as edited. A mark that an owner makes is confirmed by that; one made by any other person awaits an owner, and so
 * does one to which such a person gives another reason or another title. Any other state clears the mark.
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
