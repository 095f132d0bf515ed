import type { Instant } from '../instant.js';
import { keyOf } from '../name/slug.js';
import type { ChecklistItem } from './checklist-item.js';

/** What every release has to show before it launches. */
export const FIRST_TITLES = ['Docs', 'Feature flag', 'Rollback'] as const;

/** A new open item. */
export const openItem = (
  id: string,
  releaseId: string,
  title: string,
  position: number,
  at: Instant,
  by: string | null,
): ChecklistItem => ({
  id,
  releaseId,
  key: keyOf(title),
  title,
  state: 'open',
  position,
  evidence: [],
  version: 1,
  updatedAt: at,
  updatedBy: by,
});

/** The three items a release starts with. */
export const firstChecklist = (releaseId: string, at: Instant, newId: () => string): readonly ChecklistItem[] =>
  FIRST_TITLES.map((title, position) => openItem(newId(), releaseId, title, position, at, null));
