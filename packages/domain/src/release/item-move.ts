import { type ChecklistItem, countedState } from '../checklist/checklist-item.js';
import type { Instant } from '../instant.js';
import type { Happening, Move } from './move.js';

/** What the move of a checklist item is made of. */
export type CountedItem = Pick<ChecklistItem, 'id' | 'title' | 'state' | 'mark'>;

const HAPPENED = { open: 'reopened', done: 'done', not_applicable: 'not_applicable' } as const;

/**
 * How a change of a checklist item moved its release; a mark that awaits an owner counts as open.
 * @param before null: it is new or restored @param after null: it was removed, and its title is kept
 */
export const itemMove = (before: CountedItem | null, after: CountedItem | null, at: Instant): Move => {
  const id = after?.id ?? before?.id ?? '';
  const was = before === null ? 'not_applicable' : countedState(before);
  const is = after === null ? 'not_applicable' : countedState(after);
  const what: readonly Happening[] =
    was === is ? [] : [before === null ? 'added' : after === null ? 'removed' : HAPPENED[is]];
  const axes = what.length === 0 ? [] : (['ops'] as const);
  return { kind: 'checklist_item', id, at, what, axes, title: after === null ? (before?.title ?? null) : null };
};
