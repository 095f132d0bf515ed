import type { Instant, Interval } from '@shipworthy/domain';
import type { Access } from './access.js';
import { bucketOf, FOREVER, HOUR } from './buckets.js';

/** A span of time to look through: all of it, or only what is in progress or outside the environments that count. */
export interface Span {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly every: boolean;
}

/** What is left between the windows up to `to`, latest first. */
const gapsBetween = (windows: readonly Interval[], to: Instant): readonly Span[] => {
  const gaps: Span[] = [];
  let covered = -FOREVER;
  for (const { from, to: end } of windows.toSorted((a, b) => a.from - b.from)) {
    if (from > covered && covered < to) gaps.push({ from: covered, to: Math.min(from, to), every: true });
    covered = Math.max(covered, end ?? FOREVER);
  }
  if (covered < to) gaps.push({ from: covered, to, every: true });
  return gaps.toReversed();
};

/** Hours become one span where they follow each other, so that many of them are looked through in one go. */
const joined = (hours: readonly number[]): readonly Span[] => {
  const spans: Span[] = [];
  for (const hour of hours) {
    const from = hour * HOUR;
    const last = spans.at(-1);
    if (last?.from === from + HOUR) spans[spans.length - 1] = { ...last, from };
    else spans.push({ from, to: from + HOUR, every: false });
  }
  return spans;
};

/** What of the span lies outside the other one. */
const without = ({ from, to, every }: Span, gap: Span): readonly Span[] =>
  [
    { from, to: Math.min(to, gap.from), every },
    { from: Math.max(from, gap.to), to, every },
  ].filter((part) => part.from < part.to);

/** Hours and gaps, latest first; what lies in both is of the gap, so that nothing is looked through twice. */
const apart = (hours: readonly Span[], gaps: readonly Span[]): readonly Span[] => {
  const rests = gaps.reduce((left, gap) => left.flatMap((hour) => without(hour, gap)), hours);
  return [...rests, ...gaps].toSorted((a, b) => b.from - a.from);
};

/**
 * Where the newest `limit` deployments that count for no release must be, of those that started at or before `upTo`; latest
 * first. Hours in which nothing such started are told by the kept counts, without reading a deployment.
 */
export const notCountedSpans = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  upTo: Instant | null,
  limit: number,
): Promise<readonly Span[]> => {
  const { among, jsonArrayOf, list } = access.dialect;
  const to = upTo === null ? FOREVER : upTo + 1;
  const suspicious = (count: string): string =>
    `(${count}.started > 0${environments === null ? '' : ` or not (${among(`${count}.environment`, 'text')})`})`;
  // Every hour holds one at least, but for the first of the hours and days, which `upTo` may cut.
  const most = limit + 2;
  const counting = environments === null ? [] : [list(environments)];
  const [windows, days] = await Promise.all([
    access.read<{ starts_at: Instant; ends_at: Instant | null }>(
      `select starts_at, coalesce(shipped_at, canceled_at) as ends_at from releases
        where project_id = ? and starts_at is not null`,
      [projectId],
    ),
    // Days in a subquery, hours in another one for each: joined, a database may well choose to read all hours.
    access.read<{ hours: string | null }>(
      `select (select ${jsonArrayOf}(x.bucket) from (select distinct h.bucket from deployment_counts h
          where h.project_id = ? and h.hours = 1 and h.bucket >= s.bucket * 24 and h.bucket < s.bucket * 24 + 24
            and h.bucket <= ? and ${suspicious('h')}) x) as hours
        from (select distinct d.bucket from deployment_counts d where d.project_id = ? and d.hours = 24
          and d.bucket <= ? and ${suspicious('d')} order by d.bucket desc limit ?) s`,
      [projectId, bucketOf(to, 1), ...counting, projectId, bucketOf(to, 24), ...counting, most],
    ),
  ]);
  const gaps = gapsBetween(
    windows.map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at })),
    to,
  );
  const hours = days.flatMap(({ hours: ofDay }) => (ofDay === null ? [] : (JSON.parse(ofDay) as readonly number[])));
  return apart(joined(hours.toSorted((a, b) => b - a).slice(0, most)), gaps);
};
