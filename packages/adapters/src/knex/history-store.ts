import type { Cause, DirtyRelease, GateDecision, HistoryPoint, HistoryStore, Instant } from '@shipworthy/domain';
import type { Access } from './access.js';
import { grouped } from './grouped.js';
import { causesOf } from './marks.js';
import { pageOf } from './page-of.js';
import { momentOrNull } from './sql.js';
import { asJson } from './well-formed.js';

interface PointRow {
  readonly release_id: string;
  readonly at: number;
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  readonly axes: string;
  readonly causes: string;
  readonly cause_count: number;
}

const COLUMNS = 'release_id, at, score, coverage, decision, axes, causes, cause_count';

const pointOf = (row: PointRow): HistoryPoint => ({
  releaseId: row.release_id,
  at: row.at,
  score: row.score,
  coverage: row.coverage,
  decision: row.decision,
  axes: JSON.parse(row.axes) as HistoryPoint['axes'],
  causes: JSON.parse(row.causes) as readonly Cause[],
  causeCount: row.cause_count,
});

interface ClaimedRow {
  readonly release_id: string;
  readonly revision: number;
  readonly claimed_count: number;
  readonly claimed_causes: string;
}

/**
 * Claims in one statement. Causes are moved aside with the claim, so that those of later changes gather by themselves;
 * an outdated claim gives what it moved to the next one.
 */
const claim = async (
  access: Access,
  now: Instant,
  limit: number,
  leaseMs: number,
): Promise<readonly DirtyRelease[]> => {
  const { moment, skipLocked } = access.dialect;
  const rows = await access.write<ClaimedRow>(
    `update release_marks set claimed_causes = claimed_causes || causes, claimed_count = claimed_count + cause_count,
        causes = '', cause_count = 0, claimed_until = ?
      where release_id in (select release_id from release_marks
        where (dirty = 1 or next_time_limit <= ?) and (claimed_until is null or claimed_until <= ?)
        limit ? ${skipLocked})
      returning release_id, revision, claimed_count, claimed_causes`,
    [moment(now + leaseMs), moment(now), moment(now), limit],
  );
  return rows.map(({ release_id, revision, claimed_count, claimed_causes }) => ({
    releaseId: release_id,
    revision,
    causes: causesOf(claimed_causes),
    causeCount: claimed_count,
  }));
};

const storePoint = async (access: Access, point: HistoryPoint): Promise<void> => {
  await access.write(
    `insert into history_points (${COLUMNS}, second) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (release_id, second) do update set at = excluded.at, score = excluded.score,
        coverage = excluded.coverage, decision = excluded.decision, axes = excluded.axes, causes = excluded.causes,
        cause_count = excluded.cause_count`,
    [
      point.releaseId,
      access.dialect.moment(point.at),
      point.score,
      point.coverage,
      point.decision,
      asJson(point.axes),
      asJson(point.causes),
      point.causeCount,
      Math.floor(point.at / 1000),
    ],
  );
};

const settle = (access: Access, dirty: DirtyRelease, point: HistoryPoint | null, nextTimeLimit: Instant | null) =>
  access.atomically(async (inside) => {
    if (point !== null) await storePoint(inside, point);
    await inside.write(
      `update release_marks set dirty = case when revision > ? then 1 else 0 end, claimed_causes = '', claimed_count = 0,
          claimed_until = null, next_time_limit = ? where release_id = ?`,
      [dirty.revision, momentOrNull(access, nextTimeLimit), dirty.releaseId],
    );
  });

const last = async (access: Access, releaseIds: readonly string[], count: number) => {
  const asked = access.dialect.rowset('v', { release_id: 'id' });
  const rows = await access.read<PointRow>(
    `select h.release_id, h.at, h.score, h.coverage, h.decision, h.axes, h.causes, h.cause_count
      from ${asked.table} join history_points h on h.release_id = v.release_id
        and h.second in (select s.second from history_points s where s.release_id = v.release_id order by s.second desc limit ?)
      order by h.release_id, h.second`,
    [...asked.bindings([...new Set(releaseIds)].map((id) => [id])), count],
  );
  const points = grouped(rows.map(pointOf), ({ releaseId }) => releaseId);
  return releaseIds.map((id) => points.get(id) ?? []);
};

export const historyStore = (access: Access): HistoryStore => ({
  claim: (now, limit, leaseMs) => claim(access, now, limit, leaseMs),
  settle: (dirty, point, nextTimeLimit) => settle(access, dirty, point, nextTimeLimit),
  page: (releaseId, page) => {
    const listing = {
      select: `select ${COLUMNS} from history_points`,
      conditions: ['release_id = ?'],
      bindings: [releaseId],
      sort: [{ name: 'second', kind: 'number' }],
      descending: false,
    } as const;
    return pageOf(access, listing, page, pointOf, ({ at }) => [Math.floor(at / 1000)]);
  },
  last: (releaseIds, count) => last(access, releaseIds, count),
});
