import type { Cause, Instant } from '@shipworthy/domain';

const NAMED_CAUSES = 20;

/** Causes as a claim shows them: the first of them by name, all of them by count. */
export interface Causes {
  readonly named: readonly Cause[];
  readonly count: number;
}

/** How far a release has changed, and how far its trend has followed. */
export interface Change {
  readonly releaseId: string;
  readonly revision: number;
  readonly changedAt: Instant;
  /** Up to this revision the trend is up to date. */
  readonly settledRevision: number;
  /** Causes somebody has claimed, and those that came since. */
  readonly claimed: Causes;
  readonly pending: Causes;
  /** Until then it is somebody's. */
  readonly hiddenUntil: Instant;
  readonly dueAt: Instant | null;
}

export const NO_CAUSES: Causes = { named: [], count: 0 };

export const together = (first: Causes, second: Causes): Causes => ({
  named: [...first.named, ...second.named].slice(0, NAMED_CAUSES),
  count: first.count + second.count,
});
