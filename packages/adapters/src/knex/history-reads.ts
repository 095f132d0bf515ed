import type { Instant, NewestPoint, TrendPoint } from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';
import { POINT_COLUMNS, type PointRow, pointOf, RECORDED, type RecordedRow, recordedOf } from './history-point-row.js';
import { inOrder } from './sql.js';

/** The releases as table `v`, each once. */
const askedFor = ({ dialect }: Access, releaseIds: readonly string[]) => {
  const { table, bindings } = dialect.rowset('v', { release_id: 'id' });
  return { table, bindings: bindings([...new Set(releaseIds)].map((id) => [id])) };
};

/** The last so many points of each release, oldest first. */
export const last = async (access: Access, releaseIds: readonly string[], count: number) => {
  const asked = askedFor(access, releaseIds);
  const rows = await access.read<PointRow>(
    `select ${POINT_COLUMNS}
      from ${asked.table} join history_points h on h.release_id = v.release_id and h.second >= (select min(l.second) from
        (select s.second from history_points s where s.release_id = v.release_id order by s.second desc limit ?) l)
      order by h.release_id, h.second`,
    [...asked.bindings, count],
  );
  const points = grouped(rows.map(pointOf), ({ releaseId }) => releaseId);
  return releaseIds.map((id) => points.get(id) ?? []);
};

/** One look into the index for each release: as a join, PostgreSQL would look for the last second of every point. */
export const newest = async (access: Access, releaseIds: readonly string[]) => {
  const { jsonArray, milliseconds } = access.dialect;
  const asked = askedFor(access, releaseIds);
  const rows = await access.read<{ readonly release_id: string; readonly point: string | null }>(
    `select v.release_id, (select ${jsonArray}(${milliseconds('h.at')}, h.score, coalesce(h.revision, 0))
        from history_points h where h.release_id = v.release_id order by h.second desc limit 1) as point
      from ${asked.table}`,
    asked.bindings,
    'newest-points',
  );
  const byId = new Map(
    rows.map(({ release_id, point }): [string, NewestPoint | undefined] => {
      if (point === null) return [release_id, undefined];
      const [at, score, revision] = JSON.parse(point) as [number, number | null, number];
      return [release_id, { at, score, revision }];
    }),
  );
  return releaseIds.map((id) => byId.get(id));
};

/** One row for a release, its points as one text: rows and columns of every point would cost several times as much. */
export const trends = async (access: Access, releaseIds: readonly string[], count: number) => {
  const { jsonArray, jsonArrayOf, milliseconds } = access.dialect;
  const asked = askedFor(access, releaseIds);
  // In the text, so that PostgreSQL plans for few points: for any number of them it would sort all that there are.
  const most = Math.max(0, Math.trunc(count));
  const rows = await access.read<{ readonly release_id: string; readonly trend: string | null }>(
    `select v.release_id, (select ${jsonArrayOf}(${jsonArray}(${milliseconds('p.at')}, p.score) order by p.second)
        from (select h.second, h.at, h.score from history_points h where h.release_id = v.release_id
          order by h.second desc limit ${most}) p) as trend from ${asked.table}`,
    asked.bindings,
    `trends-of-${most}`,
  );
  const byId = new Map(
    rows.map(({ release_id, trend }) => {
      const cells = trend === null ? [] : (JSON.parse(trend) as readonly [at: number, score: number | null][]);
      return [release_id, cells.map(([at, score]): TrendPoint => ({ at, score }))];
    }),
  );
  return releaseIds.map((id) => byId.get(id) ?? []);
};

/** The latest point of each release with all that was recorded. */
export const latest = async (access: Access, releaseIds: readonly string[]) => {
  const asked = askedFor(access, releaseIds);
  // Asked for each release: asked for each of its points, a long trend would be read from end to end.
  const rows = await access.read<RecordedRow>(
    `${RECORDED} join ${asked.table} on v.release_id = h.release_id
      and h.second = (select max(s.second) from history_points s where s.release_id = v.release_id)`,
    asked.bindings,
  );
  return inOrder(releaseIds, rows.map(recordedOf), ({ releaseId }) => releaseId);
};

/** The point that was known at a moment, with the newest revision that moved nothing since. */
export const pointAt = async (access: Access, releaseId: string, at: Instant) => {
  const upTo = [releaseId, Math.floor(at / 1000), access.dialect.moment(at)];
  const [row] = await access.read<RecordedRow & { readonly unmoved: number | null }>(
    `select p.*, (select u.revision from unmoved_revisions u
        where u.release_id = ? and u.second <= ? and u.at <= ? order by u.second desc limit 1) as unmoved
      from (${RECORDED} where h.release_id = ? and h.second <= ? and h.at <= ? order by h.second desc limit 1) as p`,
    [...upTo, ...upTo],
  );
  return row && recordedOf({ ...row, revision: row.revision && Math.max(row.revision, row.unmoved ?? 0) });
};
