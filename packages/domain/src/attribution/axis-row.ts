import { awaitsConfirmation, type ChecklistItem } from '../checklist/checklist-item.js';
import type { Instant } from '../instant.js';
import type { Issue } from '../issue/issue.js';
import { staleFrom } from '../readiness/axes/verification.js';
import type { Policy } from '../readiness/policy.js';
import type { Attribution, NotCountedReason } from './attribution.js';
import type { TestRunView } from './test-run-view.js';

/** Why a record that is listed under an axis does not count there. */
export type RowReason = NotCountedReason | 'stale_test_run' | 'canceled';

/** Whether a record counts in the axis it is listed under; the reason only when it does not. */
export interface Counting {
  readonly counts: boolean;
  readonly reason: RowReason | null;
}

const counting = (reason: RowReason | null): Counting => ({ counts: reason === null, reason });

/** An issue under scope, or a bug under quality: all count but the canceled ones. */
export const issueCounting = ({ state }: Pick<Issue, 'state'>): Counting =>
  counting(state === 'canceled' ? 'canceled' : null);

/** How a checklist item counts; one that awaits an owner counts as open, and says so. */
export interface ItemCounting {
  readonly counts: boolean;
  readonly reason: 'not_applicable' | 'awaiting_confirmation' | null;
}

/** A checklist item under ops: all count but those that an owner confirmed not to apply. */
export const itemCounting = (item: Pick<ChecklistItem, 'state' | 'mark'>): ItemCounting => {
  if (awaitsConfirmation(item)) return { counts: true, reason: 'awaiting_confirmation' };
  const counts = item.state !== 'not_applicable';
  return { counts, reason: counts ? null : 'not_applicable' };
};

/** A record with a receipt, under an axis of one release: what the receipt says about that release. */
export const receiptCounting = ({ releases, reason }: Attribution, releaseId: string): Counting => {
  const line = releases.find(({ id }) => id === releaseId);
  return counting(line === undefined ? (reason ?? 'no_release_window') : line.reason);
};

/** A test run under verification at `now`: what its receipt says, unless it is older than the policy allows. */
export const testRunCounting = (
  { testRun, attribution }: TestRunView,
  { freshnessHours }: Pick<Policy, 'freshnessHours'>,
  now: Instant,
): Counting => {
  const received = receiptCounting(attribution, testRun.releaseId);
  const stale = freshnessHours !== null && now >= staleFrom(testRun.ranAt, freshnessHours);
  return received.counts && stale ? counting('stale_test_run') : received;
};
