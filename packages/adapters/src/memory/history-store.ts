import type { DirtyRelease, HistoryPoint, HistoryStore, Instant, Moves, RecordedPoint } from '@shipworthy/domain';
import { type Change, NO_CAUSES, together } from './change.js';
import { ascending, greatest, pageUp } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf } from './tables.js';

const SECOND = 1000;

const byTime = ({ at }: HistoryPoint) => [at];

const isDue = (change: Change, now: number): boolean =>
  change.hiddenUntil <= now &&
  (change.revision > change.settledRevision || (change.dueAt !== null && change.dueAt <= now));

/** A point as the trend shows it. */
const shown = ({ revision, snapshot, ...point }: RecordedPoint): HistoryPoint => point;

/** What is not settled yet, as a point at the last change. */
const unsettled = ({
  claimed,
  pending,
  changedAt,
  ...change
}: Change): readonly (Moves & { readonly at: Instant })[] => {
  if (change.revision <= change.settledRevision) return [];
  const { named, count } = together(claimed, pending);
  return [{ at: changedAt, causes: named, count }];
};

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
  settle: ({ releaseId, revision }, settled, nextTimeLimit) =>
    change(({ changes, points }) => {
      for (const point of settled) points.put(keyOf(releaseId, Math.floor(point.at / SECOND)), point);
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
  page: (releaseId, page) =>
    read(({ points }) => {
      const { rows, next } = pageUp(points.where('release', releaseId), byTime, page);
      return { rows: rows.map(shown), next };
    }),
  last: (releaseIds, count) =>
    read(({ points }) =>
      releaseIds.map((id) =>
        count < 1 ? [] : ascending(points.where('release', id), byTime).slice(-count).map(shown),
      ),
    ),
  latest: (releaseIds) => read(({ points }) => releaseIds.map((id) => greatest(points.where('release', id), byTime))),
  pointAt: (releaseId, at) =>
    read(({ points }) =>
      greatest(
        points.where('release', releaseId).filter((point) => point.at <= at),
        byTime,
      ),
    ),
  moves: (releaseId, from, to, most) =>
    read(({ points, changes }) => {
      const change = changes.get(releaseId);
      const settled = ascending(points.where('release', releaseId), byTime).map(({ at, causes, causeCount }) => ({
        at,
        causes,
        count: causeCount,
      }));
      const moved = [...settled, ...(change === undefined ? [] : unsettled(change))].filter(
        ({ at }) => at > from && at <= to,
      );
      const count = moved.reduce((sum, each) => sum + each.count, 0);
      return { causes: moved.flatMap(({ causes }) => causes).slice(0, most), count };
    }),
});
