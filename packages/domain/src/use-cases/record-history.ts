import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { DirtyRelease, HistoryPoint } from '../readiness/history-store.js';
import { historyPoint, readsTheSame } from '../release/history-point.js';
import { liveReport, readsUntil } from '../release/live-report.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import { isClosed } from '../release/release-transition.js';

export interface RecordHistory {
  /** Most releases to settle in one go. */
  readonly limit: number;
  /** How long they are hidden from other workers, in milliseconds. */
  readonly leaseMs: number;
}

/**
 * Writes the trend of the releases that changed or whose time limit passed; safe on many instances at once.
 * @returns how many releases were settled; as many as `limit` means there may be more
 */
export const recordHistory =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ limit, leaseMs }: RecordHistory): Promise<number> => {
    const now = clock();
    const claimed = await stores.history.claim(now, limit, leaseMs);
    if (claimed.length === 0) return 0;
    const releaseIds = claimed.map((dirty) => dirty.releaseId);
    const [dossiers, lasts] = await Promise.all([
      stores.facts.factsFor(releaseIds),
      stores.history.last(releaseIds, 1),
    ]);
    for (const [index, dirty] of claimed.entries()) {
      const dossier = dossiers[index];
      const point = dossier ? await pointOf(stores, dirty, dossier, now) : null;
      const last = lasts[index]?.[0];
      const moved = point !== null && !(last !== undefined && readsTheSame(last, point));
      await stores.history.settle(dirty, moved ? point : null, dossier ? nextDue(dossier, now) : null);
    }
    return claimed.length;
  };

/** The trend of a shipped release ends in what it was frozen with. */
const pointOf = async (
  stores: Stores,
  dirty: DirtyRelease,
  dossier: ReleaseDossier,
  now: Instant,
): Promise<HistoryPoint> => {
  const frozen = dossier.release.state === 'shipped' ? await stores.releases.frozen(dirty.releaseId) : undefined;
  const report = frozen?.report ?? liveReport(dossier, now, { nextSteps: false });
  return historyPoint(dirty, report, frozen === undefined && report.asOf > dossier.revision.changedAt);
};

const nextDue = (dossier: ReleaseDossier, now: Instant): Instant | null =>
  isClosed(dossier.release) ? null : readsUntil(dossier, now);
