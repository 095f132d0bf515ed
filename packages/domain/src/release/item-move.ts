import type { ChecklistItem } from '../checklist/checklist-item.js';
import type { Instant } from '../instant.js';
import type { Happening, Move } from './move.js';

/** What of a checklist item is told of. */
export type CountedItem = Pick<ChecklistItem, 'id' | 'title' | 'state'>;

const HAPPENED = { open: 'reopened', done: 'done', not_applicable: 'not_applicable' } as const;

/** How a change of a checklist item moved its release. @param before null: it is new @param after null: it is gone, and its title is kept */
export const itemMove = (before: CountedItem | null, after: CountedItem | null, at: Instant): Move => {
  const id = after?.id ?? before?.id ?? '';
  const was = before?.state ?? 'not_applicable';
  const is = after?.state ?? 'not_applicable';
  const what: readonly Happening[] =
    was === is ? [] : [before === null ? 'added' : after === null ? 'removed' : HAPPENED[is]];
  const axes = what.length === 0 ? [] : (['ops'] as const);
  return { kind: 'checklist_item', id, at, what, axes, title: after === null ? (before?.title ?? null) : null };
};
