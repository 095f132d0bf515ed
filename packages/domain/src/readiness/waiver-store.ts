import type { Instant } from '../instant.js';
import type { Waiver } from './waiver.js';

/** Every change marks the release as changed. */
export interface WaiverStore {
  add(waiver: Waiver): Promise<void>;
  /** All of the release, withdrawn and expired ones too, oldest first (createdAt, then id). */
  ofRelease(releaseId: string): Promise<readonly Waiver[]>;
  /** Keeps the record with who withdrew it and when; false when there is none of that id or it is withdrawn already. */
  withdraw(releaseId: string, waiverId: string, at: Instant, by: string): Promise<boolean>;
}
