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

/** Where an item comes from: the project's checklist template, or a person who added it to the release. */
export type ItemOrigin = 'template' | 'added';

/** That an item does not apply to its release. It counts as open until an owner has confirmed it. */
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

/** Whether an item was marked as not applicable by a person who is no owner, and no owner has confirmed it yet. */
export const awaitsConfirmation = ({ state, mark }: Pick<ChecklistItem, 'state' | 'mark'>): boolean =>
  state === 'not_applicable' && mark?.confirmedAt == null;

/** The state an item counts with: a mark that awaits an owner counts as open. */
export const countedState = (item: Pick<ChecklistItem, 'state' | 'mark'>): ChecklistState =>
  awaitsConfirmation(item) ? 'open' : item.state;
