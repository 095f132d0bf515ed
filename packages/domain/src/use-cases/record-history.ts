import { eventsOfPoints } from '../event/events-of-points.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import { pointsSince } from '../release/history-point.js';
import type { DirtyRelease, Knowledge, RecordedPoint } from '../release/history-store.js';
import { readsUntil } from '../release/live-report.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';

export interface RecordHistory {
  /** Most releases to settle in one go. */
  readonly limit: number;
  /** How long they are hidden from other workers, in milliseconds. */
  readonly leaseMs: number;
  /** Only the releases of this project; all unless given. */
  readonly projectId?: string;
}

type RecordPorts = Pick<Ports, 'stores' | 'clock' | 'newId'>;

/**
 * Writes the trend of the releases that changed or whose time limit passed, and tells of what moved; safe on many
 * instances at once.
 * @returns how many releases were settled; as many as `limit` means there may be more
 */
export const recordHistory =
  (ports: RecordPorts) =>
  async ({ limit, leaseMs, projectId }: RecordHistory): Promise<number> => {
    const { stores } = ports;
    const now = ports.clock();
    const claimed = await stores.history.claim(now, limit, leaseMs, projectId);
    if (claimed.length === 0) return 0;
    const releaseIds = claimed.map((dirty) => dirty.releaseId);
    const [dossiers, lasts] = await Promise.all([stores.facts.factsFor(releaseIds), stores.history.latest(releaseIds)]);
    for (const [index, dirty] of claimed.entries()) await settle(ports, dirty, dossiers[index], lasts[index], now);
    return claimed.length;
  };

/** Writes the points and what is told of them, or neither once the claim has become somebody else's: then they tell it. */
const settle = async (
  { stores, newId }: RecordPorts,
  dirty: DirtyRelease,
  dossier: ReleaseDossier | undefined,
  last: RecordedPoint | undefined,
  now: Instant,
): Promise<void> => {
  if (dossier === undefined) {
    await stores.history.settle(dirty, [], null);
    return;
  }
  const points = pointsSince(dirty, dossier, await frozenOf(stores, dossier), last, now);
  const due = dossier.release.state === 'shipped' ? null : readsUntil(dossier, now);
  const events = eventsOfPoints(dossier, last, points, newId);
  await stores.transaction(async (inside) => {
    const isStillMine = await inside.history.settle(dirty, points, due, unmovedBy(dossier, last, points));
    if (isStillMine && events.length > 0) await inside.events.append(events);
  });
};

/** The revision that was read, unless a point stands for it. */
const unmovedBy = (
  { revision: { revision, changedAt: at } }: ReleaseDossier,
  last: RecordedPoint | undefined,
  points: readonly RecordedPoint[],
): Knowledge | undefined =>
  last?.revision === revision || points.some((point) => point.at === at) ? undefined : { revision, at };

const frozenOf = async ({ releases }: Stores, { release }: ReleaseDossier): Promise<FrozenReport | null> =>
  release.state === 'shipped' ? ((await releases.frozen(release.id)) ?? null) : null;
