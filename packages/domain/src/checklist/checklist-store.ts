import type { Instant } from '../instant.js';
import type { ChecklistItem, Evidence } from './checklist-item.js';

/** Every change marks the release as changed. An item counts up its version by one with each change, evidence included. */
export interface ChecklistStore {
  /** All items in list order, each with its evidence, oldest first (addedAt, then id). */
  ofRelease(releaseId: string): Promise<readonly ChecklistItem[]>;
  byId(itemId: string): Promise<ChecklistItem | undefined>;
  /** Adds at the end, whatever `position` says; the key gets a number behind it when taken. Answers the item as stored. */
  add(item: ChecklistItem): Promise<ChecklistItem>;
  /** Stores title, state, and who changed them when, if the stored version is `next.version - 1`; nothing else of `next`. */
  replace(next: ChecklistItem): Promise<boolean>;
  /** Removes the item with its evidence; false when there is none. */
  remove(itemId: string, at: Instant): Promise<boolean>;
  /** A change of the item by `addedBy` at `addedAt`; false when there is no such item. */
  addEvidence(itemId: string, evidence: Evidence): Promise<boolean>;
  /** A change of the item; false when there is no such item or evidence. */
  removeEvidence(itemId: string, evidenceId: string, at: Instant, by: string): Promise<boolean>;
}
