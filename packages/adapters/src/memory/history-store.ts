import type { DirtyRelease, HistoryPoint, HistoryStore } from '@shipworthy/domain';
import { type Change, NO_CAUSES, together } from './change.js';
import { ascending, pageUp } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf } from './tables.js';

const SECOND = 1000;

const byTime = ({ at }: HistoryPoint) => [at];

const isDue = (change: Change, now: number): boolean =>
  change.hiddenUntil <= now &&
  (change.revision > change.settledRevision || (change.dueAt !== null && change.dueAt <= now));

export const historyStore = ({ read, change }: TableAccess): HistoryStore => ({
  claim: (now, limit, leaseMs) =>
    change(({ changes }) => {
      const due = changes.all().filter((each) => isDue(each, now));
      const longestWaiting = ascending(due, ({ changedAt, releaseId }) => [changedAt, releaseId]).slice(0, limit);
      return longestWaiting.map((each): DirtyRelease => {
        const { releaseId, revision } = each;
        const claimed = together(each.claimed, each.pending);
        const lease = { claimedRevision: revision, hiddenUntil: now + leaseMs };
        changes.put(releaseId, { ...each, ...lease, claimed, pending: NO_CAUSES });
        return { releaseId, revision, causes: claimed.named, causeCount: claimed.count };
      });
    }),
  settle: ({ releaseId, revision }, point, nextTimeLimit) =>
    change(({ changes, points }) => {
      if (point !== null) points.put(keyOf(releaseId, Math.floor(point.at / SECOND)), point);
      const before = changes.get(releaseId);
      if (before === undefined) return;
      // Somebody else's claim that came later keeps its lease and its causes.
      const mine = revision >= before.claimedRevision;
      changes.put(releaseId, {
        ...before,
        settledRevision: Math.max(before.settledRevision, revision),
        claimed: mine ? NO_CAUSES : before.claimed,
        hiddenUntil: mine ? 0 : before.hiddenUntil,
        dueAt: nextTimeLimit,
      });
    }),
  page: (releaseId, page) => read(({ points }) => pageUp(points.where('release', releaseId), byTime, page)),
  last: (releaseIds, count) =>
    read(({ points }) =>
      releaseIds.map((id) => (count < 1 ? [] : ascending(points.where('release', id), byTime).slice(-count))),
    ),
});
