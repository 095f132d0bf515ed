import type { Instant } from '../instant.js';

export const CHECKLIST_STATES = ['open', 'done', 'not_applicable'] as const;
export type ChecklistState = (typeof CHECKLIST_STATES)[number];

/** A link that shows an item is really done. */
export interface Evidence {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly addedBy: string;
  readonly addedAt: Instant;
}

/** One line of a release's launch checklist. */
export interface ChecklistItem {
  readonly id: string;
  readonly releaseId: string;
  /** Stable within the release: made from the first title. */
  readonly key: string;
  readonly title: string;
  readonly state: ChecklistState;
  /** Place in the list, from 0. */
  readonly position: number;
  readonly evidence: readonly Evidence[];
  readonly version: number;
  readonly updatedAt: Instant;
  /** Name of the person who last changed it; null: as created with the release. */
  readonly updatedBy: string | null;
}
