import type { Instant } from '../instant.js';
import type { ChecklistItem, Evidence } from './checklist-item.js';

/** Every change marks the release as changed. An item counts up its version by one with each change, evidence included. */
export interface ChecklistStore {
  /** All items in list order, with evidence. */
  ofRelease(releaseId: string): Promise<readonly ChecklistItem[]>;
  byId(itemId: string): Promise<ChecklistItem | undefined>;
  /** Adds at the end, whatever `position` says; the key gets a number behind it when taken. Answers the item as stored. */
  add(item: ChecklistItem): Promise<ChecklistItem>;
  /** Stores title and state if the stored version is `next.version - 1`. */
  replace(next: ChecklistItem): Promise<boolean>;
  /** Removes the item with its evidence; false when there is none. */
  remove(itemId: string, at: Instant): Promise<boolean>;
  addEvidence(itemId: string, evidence: Evidence): Promise<boolean>;
  removeEvidence(itemId: string, evidenceId: string, at: Instant, by: string): Promise<boolean>;
}
