import type { Ports } from '../ports.js';
import type { NewestPoint, TrendPoint } from '../release/history-store.js';

/** The last points of a release, and which of them was the newest when they were read. */
export interface KnownTrend {
  readonly newest: NewestPoint;
  readonly points: readonly TrendPoint[];
}

/** What is known of releases' trends, by their ids; may forget any of them at any time. */
export interface KeptTrends {
  get(releaseId: string): KnownTrend | undefined;
  set(releaseId: string, trend: KnownTrend): unknown;
}

/** A trend only ever grows at its end, or its last second is written again for a later revision. */
const isSame = (a: NewestPoint | undefined, b: NewestPoint): boolean =>
  a !== undefined && a.at === b.at && a.revision === b.revision && a.score === b.score;

/**
 * The last points of releases, oldest first, by their ids. Two queries for any number of releases, the second one only for
 * those whose trend has grown since it was kept.
 * @param count the same in every call with the same `kept`
 */
export const readTrends =
  ({ stores }: Pick<Ports, 'stores'>, kept: KeptTrends, count: number) =>
  async (releaseIds: readonly string[]): Promise<ReadonlyMap<string, readonly TrendPoint[]>> => {
    const newest = await stores.history.newest(releaseIds);
    const trends = new Map<string, readonly TrendPoint[]>();
    const grown: (readonly [id: string, newest: NewestPoint])[] = [];
    for (const [index, id] of releaseIds.entries()) {
      const now = newest[index];
      const known = kept.get(id);
      if (now === undefined) continue;
      if (known !== undefined && isSame(known.newest, now)) trends.set(id, known.points);
      else grown.push([id, now]);
    }
    if (grown.length === 0) return trends;
    const read = await stores.history.trends(
      grown.map(([id]) => id),
      count,
    );
    for (const [index, [id, now]] of grown.entries()) {
      const points = read[index] ?? [];
      trends.set(id, points);
      // Under the point that was newest before they were read: should one have come between, they are read once more.
      kept.set(id, { newest: now, points });
    }
    return trends;
  };
