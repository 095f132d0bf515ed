import type { Instant } from '@shipworthy/domain';
import type { Access } from './access.js';
import { bucketOf, HOUR } from './buckets.js';
import type { Value } from './dialect.js';

/** Which hours are looked for. */
interface Wanted {
  /** What holds of a kept count of such an hour, and of its day, as SQL over the name of the counts. */
  readonly condition: (count: string) => string;
  readonly bindings: readonly Value[];
  /** null: since the beginning. */
  readonly from: Instant | null;
  /** Exclusive, but for the hour it lies in. */
  readonly to: Instant;
  readonly most: number;
}

/**
 * The latest hours in which such deployments of the project started, latest first, told by the kept counts without reading a
 * deployment; `most` at most. Counted from 1970.
 */
export const hoursHolding = async (
  { dialect, read }: Access,
  projectId: string,
  { condition, bindings, from, to, most }: Wanted,
): Promise<readonly number[]> => {
  const least = (bucket: string): string => (from === null ? '' : `and ${bucket} >= ?`);
  const first = (hours: number): readonly Value[] => (from === null ? [] : [bucketOf(from, hours)]);
  // Days in a subquery, hours in another one for each: joined, a database may well choose to read all hours.
  const days = await read<{ hours: string | null }>(
    `select (select ${dialect.jsonArrayOf}(x.bucket) from (select distinct h.bucket from deployment_counts h
        where h.project_id = ? and h.hours = 1 and h.bucket >= s.bucket * 24 and h.bucket < s.bucket * 24 + 24
          and h.bucket <= ? ${least('h.bucket')} and ${condition('h')}) x) as hours
      from (select distinct d.bucket from deployment_counts d where d.project_id = ? and d.hours = 24
        and d.bucket <= ? ${least('d.bucket')} and ${condition('d')} order by d.bucket desc limit ?) s`,
    [
      ...[projectId, bucketOf(to, 1), ...first(1), ...bindings],
      ...[projectId, bucketOf(to, 24), ...first(24), ...bindings, most],
    ],
  );
  return days
    .flatMap(({ hours: ofDay }) => (ofDay === null ? [] : (JSON.parse(ofDay) as readonly number[])))
    .toSorted((a, b) => b - a)
    .slice(0, most);
};

/** Hours, latest first, as spans of time: one where they follow each other, so that many are looked through in one go. */
export const joinedHours = (hours: readonly number[]): readonly { readonly from: Instant; readonly to: Instant }[] => {
  const spans: { readonly from: Instant; readonly to: Instant }[] = [];
  for (const hour of hours) {
    const from = hour * HOUR;
    const last = spans.at(-1);
    if (last?.from === from + HOUR) spans[spans.length - 1] = { ...last, from };
    else spans.push({ from, to: from + HOUR });
  }
  return spans;
};
