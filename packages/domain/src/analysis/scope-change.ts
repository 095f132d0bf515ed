import type { Instant } from '../instant.js';
import { type Movement, STILL, sumOf } from './movement.js';

/** What came into a release and left it again; `net` is `added - removed - canceled`. */
export interface ScopeFlow {
  readonly added: number;
  readonly removed: number;
  readonly canceled: number;
  readonly net: number;
}

/** How the scope of a release changed. Both nets together are the release's total. */
export interface ScopeChange {
  /** Before its window began; all of it where it has no window yet. */
  readonly beforeStart: ScopeFlow;
  /** From the window's first moment on; null: it has no window yet. */
  readonly afterStart: ScopeFlow | null;
  /** Net change after the start / total at the start, a rate that may be negative or above 1; null: no window, or nothing was in it then. */
  readonly changeRate: number | null;
}

const flowOf = (movements: readonly Movement[]): ScopeFlow => {
  const { added, removed, canceled, total } = movements.reduce(sumOf, STILL);
  return { added, removed, canceled, net: total };
};

/** How the scope changed until `at`, that moment included. */
export const scopeChangeOf = (movements: readonly Movement[], startsAt: Instant | null, at: Instant): ScopeChange => {
  const seen = movements.filter((movement) => movement.at <= at);
  if (startsAt === null) return { beforeStart: flowOf(seen), afterStart: null, changeRate: null };
  const beforeStart = flowOf(seen.filter((movement) => movement.at < startsAt));
  const afterStart = flowOf(seen.filter((movement) => movement.at >= startsAt));
  return { beforeStart, afterStart, changeRate: beforeStart.net > 0 ? afterStart.net / beforeStart.net : null };
};
