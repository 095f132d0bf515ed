import type { Instant } from '../instant.js';
import { keyOf } from '../name/slug.js';
import type { ChecklistItem, ItemOrigin } from './checklist-item.js';

/** What the launch checklist of a project's new releases starts with. */
export interface ChecklistTemplate {
  /** In list order, each once; 50 at most. */
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
  key: keyOf(title),
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
