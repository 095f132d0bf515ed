import type { Instant } from '../instant.js';
import type { Movement } from './movement.js';

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

const flowOf = (movements: readonly Movement[], isCounted: (at: Instant) => boolean): ScopeFlow => {
  const flow = { added: 0, removed: 0, canceled: 0, net: 0 };
  for (const { at, added, removed, canceled, total } of movements) {
    if (!isCounted(at)) continue;
    flow.added += added;
    flow.removed += removed;
    flow.canceled += canceled;
    flow.net += total;
  }
  return flow;
};

/** How the scope changed until `at`, that moment included. */
export const scopeChangeOf = (movements: readonly Movement[], startsAt: Instant | null, at: Instant): ScopeChange => {
  const beforeStart = flowOf(movements, (moment) => moment <= at && (startsAt === null || moment < startsAt));
  if (startsAt === null) return { beforeStart, afterStart: null, changeRate: null };
  const afterStart = flowOf(movements, (moment) => moment <= at && moment >= startsAt);
  return { beforeStart, afterStart, changeRate: beforeStart.net > 0 ? afterStart.net / beforeStart.net : null };
};
