import type { Instant, Interval } from '@shipworthy/domain';
import type { Access } from './access.js';
import { FOREVER } from './buckets.js';
import { hoursHolding, joinedHours } from './hours-holding.js';

/** A span of time to look through: all of it, or only what is in progress, a return or outside the environments that count. */
export interface Span extends Interval {
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
  const { among, list } = access.dialect;
  const to = upTo === null ? FOREVER : upTo + 1;
  const [windows, hours] = await Promise.all([
    access.read<{ starts_at: Instant; ends_at: Instant | null }>(
      `select starts_at, coalesce(shipped_at, canceled_at) as ends_at from releases
        where project_id = ? and starts_at is not null`,
      [projectId],
    ),
    hoursHolding(access, projectId, {
      condition: (count) =>
        `(${count}.started > 0 or ${count}.returned > 0${environments === null ? '' : ` or not (${among(`${count}.environment`, 'text')})`})`,
      bindings: environments === null ? [] : [list(environments)],
      from: null,
      to,
      most: limit + 2,
    }),
  ]);
  const gaps = gapsBetween(
    windows.map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at })),
    to,
  );
  const spans = joinedHours(hours).map((span) => ({ ...span, every: false }));
  return apart(spans, gaps);
};
