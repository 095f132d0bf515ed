import type { Cause, Instant, Moves } from '@shipworthy/domain';
import type { Access } from './access.js';
import { causesOf } from './marks.js';

interface MovesRow {
  readonly causes: string;
  readonly pending: 0 | 1;
  readonly total: number | string;
}

// One statement, so that what is being settled meanwhile is neither missed nor told twice.
const SQL = `select causes, pending, sum(cause_count) over () as total from (
    select at, cast(causes as text) as causes, cause_count, 0 as pending from history_points
      where release_id = ? and second >= ? and second <= ? and at > ? and at <= ?
    union all
    select changed_at, claimed_causes || causes, claimed_count + cause_count, 1 from release_marks
      where release_id = ? and dirty = 1 and changed_at > ? and changed_at <= ?) as moved
  order by at, pending limit ?`;

/** What moved a release within a time, settled or not. Every point has a cause, so that so many points name enough. */
export const movesOf = async (
  access: Access,
  releaseId: string,
  from: Instant,
  to: Instant,
  most: number,
): Promise<Moves> => {
  const [after, until] = [access.dialect.moment(from), access.dialect.moment(to)];
  const seconds = [Math.floor(from / 1000), Math.floor(to / 1000)];
  const rows = await access.read<MovesRow>(SQL, [
    releaseId,
    ...seconds,
    after,
    until,
    releaseId,
    after,
    until,
    Math.max(most, 1),
  ]);
  const causes = rows.flatMap((row) =>
    row.pending === 1 ? causesOf(row.causes) : (JSON.parse(row.causes) as readonly Cause[]),
  );
  return { causes: causes.slice(0, most), count: Number(rows[0]?.total ?? 0) };
};
