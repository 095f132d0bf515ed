import type {
  DirtyRelease,
  HistoryStore,
  Instant,
  Knowledge,
  NewestPoint,
  RecordedPoint,
  TrendPoint,
} from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';
import { pageOfMoves } from './history-moves.js';
import {
  POINT_COLUMNS,
  type PointRow,
  pointOf,
  RECORDED,
  type RecordedRow,
  recordedOf,
  storePoint,
} from './history-point-row.js';
import { causesOf } from './marks.js';
import { storeLimits } from './moves.js';
import { pageOf } from './page-of.js';
import { inOrder, momentOrNull } from './sql.js';

interface ClaimedRow {
  readonly release_id: string;
  readonly revision: number;
  readonly claimed_count: number;
  readonly claimed_causes: string;
  readonly claimed_until: number;
}

/**
 * Claims in one statement. Causes are moved aside with the claim, so that those of later changes gather by themselves;
 * an outdated claim gives what it moved to the next one. No two claims of a release end at the same moment.
 */
const claim = async (
  access: Access,
  now: Instant,
  limit: number,
  leaseMs: number,
  projectId: string | undefined,
): Promise<readonly DirtyRelease[]> => {
  const { moment, skipLocked } = access.dialect;
  const rows = await access.write<ClaimedRow>(
    `update release_marks set claimed_causes = claimed_causes || causes, claimed_count = claimed_count + cause_count,
        causes = '', cause_count = 0, claimed_until = ?
      where release_id in (select release_id from release_marks
        where (dirty = 1 or next_time_limit <= ?) and (claimed_until is null or claimed_until <= ?)
          ${projectId === undefined ? '' : 'and project_id = ?'}
        limit ? ${skipLocked})
      returning release_id, revision, claimed_count, claimed_causes, claimed_until`,
    [moment(now + leaseMs), moment(now), moment(now), ...(projectId === undefined ? [] : [projectId]), limit],
  );
  return rows.map(({ release_id, revision, claimed_count, claimed_causes, claimed_until }) => ({
    releaseId: release_id,
    revision,
    causes: causesOf(claimed_causes),
    causeCount: claimed_count,
    claimedUntil: claimed_until,
  }));
};

const storeUnmoved = async (access: Access, releaseId: string, { revision, at }: Knowledge): Promise<void> => {
  await access.write(
    `insert into unmoved_revisions (release_id, second, at, revision) values (?, ?, ?, ?)
      on conflict (release_id, second) do update set at = excluded.at, revision = excluded.revision`,
    [releaseId, Math.floor(at / 1000), access.dialect.moment(at), revision],
  );
};

const settle = (
  access: Access,
  dirty: DirtyRelease,
  points: readonly RecordedPoint[],
  nextTimeLimit: Instant | null,
  unmoved: Knowledge | undefined,
): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { forUpdate, moment } = inside.dialect;
    // Held to the end: whoever claims the release afterwards sees all of this, or this sees the claim.
    const [mine] = await inside.write(
      `select 1 as mine from release_marks where release_id = ? and claimed_until = ? ${forUpdate}`,
      [dirty.releaseId, moment(dirty.claimedUntil)],
    );
    if (mine === undefined) return false;
    for (const point of points) await storePoint(inside, point);
    await storeLimits(inside, points);
    if (unmoved !== undefined) await storeUnmoved(inside, dirty.releaseId, unmoved);
    await inside.write(
      `update release_marks set dirty = case when revision > ? then 1 else 0 end, claimed_causes = '', claimed_count = 0,
          claimed_until = null, next_time_limit = ? where release_id = ?`,
      [dirty.revision, momentOrNull(access, nextTimeLimit), dirty.releaseId],
    );
    return true;
  });

const last = async (access: Access, releaseIds: readonly string[], count: number) => {
  const asked = access.dialect.rowset('v', { release_id: 'id' });
  const rows = await access.read<PointRow>(
    `select ${POINT_COLUMNS}
      from ${asked.table} join history_points h on h.release_id = v.release_id and h.second >= (select min(l.second) from
        (select s.second from history_points s where s.release_id = v.release_id order by s.second desc limit ?) l)
      order by h.release_id, h.second`,
    [...asked.bindings([...new Set(releaseIds)].map((id) => [id])), count],
  );
  const points = grouped(rows.map(pointOf), ({ releaseId }) => releaseId);
  return releaseIds.map((id) => points.get(id) ?? []);
};

/** One look into the index for each release: as a join, PostgreSQL would look for the last second of every point. */
const newest = async (access: Access, releaseIds: readonly string[]) => {
  const { jsonArray, milliseconds, rowset } = access.dialect;
  const asked = rowset('v', { release_id: 'id' });
  const rows = await access.read<{ readonly release_id: string; readonly point: string | null }>(
    `select v.release_id, (select ${jsonArray}(${milliseconds('h.at')}, h.score, coalesce(h.revision, 0))
        from history_points h where h.release_id = v.release_id order by h.second desc limit 1) as point
      from ${asked.table}`,
    asked.bindings([...new Set(releaseIds)].map((id) => [id])),
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
const trends = async (access: Access, releaseIds: readonly string[], count: number) => {
  const { jsonArray, jsonArrayOf, milliseconds, rowset } = access.dialect;
  const asked = rowset('v', { release_id: 'id' });
  // In the text, so that PostgreSQL plans for few points: for any number of them it would sort all that there are.
  const most = Math.max(0, Math.trunc(count));
  const rows = await access.read<{ readonly release_id: string; readonly trend: string | null }>(
    `select v.release_id, (select ${jsonArrayOf}(${jsonArray}(${milliseconds('p.at')}, p.score) order by p.second)
        from (select h.second, h.at, h.score from history_points h where h.release_id = v.release_id
          order by h.second desc limit ${most}) p) as trend from ${asked.table}`,
    asked.bindings([...new Set(releaseIds)].map((id) => [id])),
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

const latest = async (access: Access, releaseIds: readonly string[]) => {
  const asked = access.dialect.rowset('v', { release_id: 'id' });
  // Asked for each release: asked for each of its points, a long trend would be read from end to end.
  const rows = await access.read<RecordedRow>(
    `${RECORDED} join ${asked.table} on v.release_id = h.release_id
      and h.second = (select max(s.second) from history_points s where s.release_id = v.release_id)`,
    asked.bindings([...new Set(releaseIds)].map((id) => [id])),
  );
  return inOrder(releaseIds, rows.map(recordedOf), ({ releaseId }) => releaseId);
};

const pointAt = async (access: Access, releaseId: string, at: Instant) => {
  const upTo = [releaseId, Math.floor(at / 1000), access.dialect.moment(at)];
  const [row] = await access.read<RecordedRow & { readonly unmoved: number | null }>(
    `select p.*, (select u.revision from unmoved_revisions u
        where u.release_id = ? and u.second <= ? and u.at <= ? order by u.second desc limit 1) as unmoved
      from (${RECORDED} where h.release_id = ? and h.second <= ? and h.at <= ? order by h.second desc limit 1) as p`,
    [...upTo, ...upTo],
  );
  return row && recordedOf({ ...row, revision: row.revision && Math.max(row.revision, row.unmoved ?? 0) });
};

export const historyStore = (access: Access): HistoryStore => ({
  claim: (now, limit, leaseMs, projectId) => claim(access, now, limit, leaseMs, projectId),
  settle: (dirty, points, nextTimeLimit, unmoved) => settle(access, dirty, points, nextTimeLimit, unmoved),
  page: (releaseId, page) => {
    const listing = {
      select: `select ${POINT_COLUMNS} from history_points h`,
      conditions: ['release_id = ?'],
      bindings: [releaseId],
      sort: [{ name: 'second', kind: 'number' }],
      descending: false,
    } as const;
    return pageOf(access, listing, page, pointOf, ({ at }) => [Math.floor(at / 1000)]);
  },
  last: (releaseIds, count) => last(access, releaseIds, count),
  newest: (releaseIds) => newest(access, releaseIds),
  trends: (releaseIds, count) => trends(access, releaseIds, count),
  latest: (releaseIds) => latest(access, releaseIds),
  pointAt: (releaseId, at) => pointAt(access, releaseId, at),
  moves: (releaseId, from, until, page) => pageOfMoves(access, releaseId, from, until, page),
});
