import type { Instant, Interval } from '@shipworthy/domain';
import type { Access } from './access.js';
import { FOREVER } from './buckets.js';
import { LAST_MOMENT } from './dialect.js';
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

/** Spans and gaps, latest first; what lies in both is of the gap, so that nothing is looked through twice. */
const apart = (spans: readonly Span[], gaps: readonly Span[]): readonly Span[] => {
  const rests = gaps.reduce((left, gap) => left.flatMap((span) => without(span, gap)), spans);
  return [...rests, ...gaps].toSorted((a, b) => b.from - a.from);
};

/**
 * What holds of a deployment `d` that came late for every release it would count in: each window that holds its start is
 * that of a release that had shipped when it was recorded, or when it finished.
 */
export const MISSED_SHIPPING = `d.late = 1 and not exists (select 1 from releases r where r.project_id = d.project_id
  and r.starts_at <= d.started_at
  and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > d.started_at)
  and (r.shipped_at is null or (d.created_at < r.shipped_at and (d.finished_at is null or d.finished_at < r.shipped_at))))`;

/** When the latest deployments started that came late for every release they would count in. */
const lateStarts = async (
  access: Access,
  projectId: string,
  to: Instant,
  limit: number,
): Promise<readonly Instant[]> => {
  const rows = await access.read<{ started_at: Instant }>(
    `select d.started_at from deployments d where d.project_id = ? and d.started_at < ? and ${MISSED_SHIPPING}
      order by d.started_at desc, d.id desc limit ?`,
    [projectId, access.dialect.moment(Math.min(to, LAST_MOMENT)), limit],
  );
  return [...new Set(rows.map(({ started_at }) => started_at))];
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
  const [windows, hours, late] = await Promise.all([
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
    lateStarts(access, projectId, to, limit),
  ]);
  const gaps = gapsBetween(
    windows.map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at })),
    to,
  );
  const spans = joinedHours(hours).map((span) => ({ ...span, every: false }));
  const moments = late.map((at) => ({ from: at, to: at + 1, every: false }));
  return apart(apart(moments, spans), gaps);
};
