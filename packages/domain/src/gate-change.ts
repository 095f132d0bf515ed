import type { Page, PageRequest } from './page.js';
import type { GateDecision, Reason } from './readiness/report.js';
import type { Instant } from './time.js';

/** A change of the gate's decision about a release. The first decision there is changes nothing. */
export interface GateChange {
  /** That of the event `gate.changed`. */
  readonly id: string;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  /** When it became true. */
  readonly at: Instant;
  readonly before: GateDecision;
  readonly after: GateDecision;
  /** The reason to begin with at that moment, of those not waived; null: none. */
  readonly reason: Reason | null;
}

/** A gate change with the names of today. */
export interface ListedGateChange extends Omit<GateChange, 'projectId' | 'releaseId'> {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
  /**
   * When the service noted it, at or after `at`; no two have the same. What can be seen later was noted later, so that a person
   * who has read up to a moment has not missed an earlier one.
   */
  readonly notedAt: Instant;
}

export interface GateChangeStore {
  /** Inside the transaction that stores the trend: notes the changes, in their order, at `now` or just after the last one noted. */
  append(changes: readonly GateChange[], now: Instant): Promise<void>;
  /** Of these teams, without archived projects and teams; the one noted last comes first. */
  page(teamIds: readonly string[], page: PageRequest): Promise<Page<ListedGateChange>>;
  /** How many of them were noted after the moment; `most` at most. */
  countAfter(teamIds: readonly string[], after: Instant, most: number): Promise<number>;
  /** The moment up to which a person has read them; before the first time, when the account was made. undefined: there is no such person. */
  readUpTo(userId: string): Promise<Instant | undefined>;
  setReadUpTo(userId: string, upTo: Instant): Promise<void>;
  /** Removes those noted before the moment; answers how many. */
  removeBefore(before: Instant): Promise<number>;
}
