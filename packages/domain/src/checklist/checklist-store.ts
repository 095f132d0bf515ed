import type { Instant } from '../instant.js';
import type { ChecklistItem, Evidence, Removal, RemovedItem } from './checklist-item.js';
import type { ChecklistTemplate } from './checklist-template.js';

/** Every change marks the release as changed. An item counts up its version by one with each change, evidence included. */
export interface ChecklistStore {
  /** All items in list order but the removed ones, each with its evidence, oldest first (addedAt, then id). */
  ofRelease(releaseId: string): Promise<readonly ChecklistItem[]>;
  /** The removed items of a release that are still kept, with their evidence, in list order. */
  removedOf(releaseId: string): Promise<readonly RemovedItem[]>;
  /** The item, whether removed or not. */
  byId(itemId: string): Promise<ChecklistItem | undefined>;
  /** Adds at the end, whatever `position` says; the key gets a number behind it when taken, by a removed item too. Answers the item as stored. */
  add(item: ChecklistItem): Promise<ChecklistItem>;
  /** Stores title, state, mark, and who changed them when, if the item is not removed and its version is `next.version - 1`; nothing else of `next`. */
  replace(next: ChecklistItem): Promise<boolean>;
  /** Takes the item off the checklist and keeps it with its evidence; false when there is none, or it is removed already. */
  remove(itemId: string, removal: Removal): Promise<boolean>;
  /** Puts a removed item back to its place, as it was; false when there is none, or it is not removed. */
  restore(itemId: string, at: Instant, by: string): Promise<boolean>;
  /** Deletes the items that were removed before the moment from releases that are shipped or canceled, with their evidence. Answers how many. */
  purgeRemoved(before: Instant): Promise<number>;
  /** A change of the item by `addedBy` at `addedAt`; false when there is no such item. */
  addEvidence(itemId: string, evidence: Evidence): Promise<boolean>;
  /** A change of the item; false when there is no such item or evidence. */
  removeEvidence(itemId: string, evidenceId: string, at: Instant, by: string): Promise<boolean>;
  /** What new releases of a project start with; DEFAULT_TEMPLATE unless it was replaced. */
  template(projectId: string): Promise<ChecklistTemplate>;
  /** Stores the next template if the stored version is `next.version - 1`. No release is marked as changed. */
  replaceTemplate(projectId: string, next: ChecklistTemplate): Promise<boolean>;
}
