// SQL by hand: one statement claims work and skips locked rows, and each of many trends is one index lookup.
import type { Cause, HistoryPoint, Instant, PageKey, PageRequest, TrendPoint } from '@shipworthy/domain';
import type {
  DirtyRelease,
  HistoryStore,
  Knowledge,
  Moves,
  NewestPoint,
  RecordedPoint,
  Snapshot,
} from '@shipworthy/domain/ports';
import { AXES, type GateDecision } from '@shipworthy/domain/readiness';
import { causesOf, movesOf, storeLimits } from './change-log-sql.js';
import { asJson } from './dialect.js';
import { type PolicyRow, policyOf } from './projects.js';
import { query } from './query.js';
import { type Access, boundMoment, groupedBy, inRequestedOrder, keysetPage } from './sql.js';

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

const COLUMNS = ['release_id', 'at', 'score', 'coverage', 'decision', 'axes', 'causes', 'cause_count'] as const;

/** The columns of a point of the trend. */
const POINT_COLUMNS = COLUMNS.map((name) => `h.${name}`).join(', ');

type Scores = HistoryPoint['axes'] | NonNullable<HistoryPoint['ownAxes']>;

/** The scores of a point: those of own axes are stored behind the five. */
const scoresOf = (text: string): Pick<HistoryPoint, 'axes' | 'ownAxes'> => {
  const all = JSON.parse(text) as Scores;
  const [axes, ownAxes] = [all.slice(0, AXES.length) as HistoryPoint['axes'], all.slice(AXES.length)];
  return ownAxes.length === 0 ? { axes } : { axes, ownAxes };
};

const pointOf = (row: PointRow): HistoryPoint => ({
  releaseId: row.release_id,
  at: row.at,
  score: row.score,
  coverage: row.coverage,
  decision: row.decision,
  ...scoresOf(row.axes),
  causes: JSON.parse(row.causes) as readonly Cause[],
  causeCount: row.cause_count,
});

/** A snapshot as it is stored: its policy is in another table. */
type StoredSnapshot = Omit<Snapshot, 'policy'>;

/** A point with its snapshot; the policy's columns are null for a point from before snapshots were kept. */
type RecordedRow = PointRow & { readonly revision: number | null; readonly snapshot: string | null } & (
    | PolicyRow
    | { readonly policy: null }
  );

/** Reads points with their snapshots; conditions on `h` go behind it. */
const RECORDED = `select ${POINT_COLUMNS}, h.revision, h.snapshot, o.policy, o.version, o.changed_at, o.changed_by
  from history_points h join releases r on r.id = h.release_id
    left join policies o on o.project_id = r.project_id and o.version = h.policy_version`;

const snapshotOf = (row: RecordedRow): Snapshot | null => {
  if (row.snapshot === null || row.policy === null) return null;
  return { ...(JSON.parse(row.snapshot) as StoredSnapshot), policy: policyOf(row) };
};

const recordedOf = (row: RecordedRow): RecordedPoint => ({
  ...pointOf(row),
  revision: row.revision ?? 0,
  snapshot: snapshotOf(row),
});

const STORED = [...COLUMNS, 'second', 'revision', 'policy_version', 'snapshot'];
const STORE = `insert into history_points (${STORED.join(', ')}) values (${STORED.map(() => '?').join(', ')})
  on conflict (release_id, second) do update set
    ${STORED.filter((name) => name !== 'release_id' && name !== 'second')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

const snapshotText = ({ project, release, facts, waivers }: Snapshot): string =>
  asJson({ project, release, facts, waivers } satisfies StoredSnapshot);

/** Stores a point; replaces the one that the release may have in the same second. */
const storePoint = async (access: Access, point: RecordedPoint): Promise<void> => {
  await access.write(STORE, [
    point.releaseId,
    access.dialect.moment(point.at),
    point.score,
    point.coverage,
    point.decision,
    asJson([...point.axes, ...(point.ownAxes ?? [])]),
    asJson(point.causes),
    point.causeCount,
    Math.floor(point.at / 1000),
    point.revision,
    point.snapshot?.policy.version ?? null,
    point.snapshot && snapshotText(point.snapshot),
  ]);
};

interface ClaimedRow {
  readonly release_id: string;
  readonly revision: number;
  readonly claimed_count: number;
  readonly claimed_causes: string;
  readonly claimed_until: number;
}

/**
 * Claims in one statement. It moves the causes of a release aside, so that causes of later changes are collected apart;
 * the next claim also gets the causes of an expired one. No two claims of a release end at the same moment.
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

/** Stores the points of a claimed release and ends the claim; false when another claim has replaced it. */
const settle = (
  access: Access,
  dirty: DirtyRelease,
  points: readonly RecordedPoint[],
  nextTimeLimit: Instant | null,
  unmoved: Knowledge | undefined,
): Promise<boolean> => {
  const work = async (inside: Access): Promise<boolean> => {
    // The update locks the row until the end: a later claim sees all of this, and an earlier one no longer finds it.
    const [mine] = await inside.write(
      `update release_marks set dirty = case when revision > ? then 1 else 0 end, claimed_causes = '', claimed_count = 0,
          claimed_until = null, next_time_limit = ? where release_id = ? and claimed_until = ? returning 1 as mine`,
      [dirty.revision, boundMoment(access, nextTimeLimit), dirty.releaseId, access.dialect.moment(dirty.claimedUntil)],
    );
    if (mine === undefined) return false;
    for (const point of points) await storePoint(inside, point);
    await storeLimits(inside, points);
    if (unmoved !== undefined) await storeUnmoved(inside, dirty.releaseId, unmoved);
    return true;
  };
  return access.inTransaction ? work(access) : access.atomically(work);
};

interface MovesRow {
  readonly revision: number;
  readonly turn: number;
  readonly moves: string;
  readonly total: number | string;
}

// `shown` counts the moves after the cursor, up to the end of a row. It limits the read to the rows of one page.
const SQL = `select revision, turn, moves, total from (
    select revision, turn, moves, size, sum(size) over () as total,
      sum(case when (revision, turn) > (?, ?) then size else 0 end) over (order by revision, turn) as shown
    from release_moves where release_id = ? and (revision, turn) > (?, ?) and (revision, turn) <= (?, ?)) as moved
  where (revision, turn) >= (?, ?) and shown - size <= ? order by revision, turn`;

const isBehind = (key: PageKey, after: PageKey): boolean => {
  const place = key.findIndex((value, index) => value !== after[index]);
  return place >= 0 && Number(key[place]) > Number(after[place]);
};

/** Returns a page of the moves that `until` knows and `from` does not, read by primary key, with the count of all. */
const pageOfMoves = async (
  access: Access,
  releaseId: string,
  from: Knowledge,
  until: Knowledge,
  { limit, after }: PageRequest,
): Promise<Moves> => {
  const last = after ?? [from.revision, from.at, Number.MAX_SAFE_INTEGER];
  const [revision = 0, turn = 0] = last;
  const rows = await access.read<MovesRow>(SQL, [
    revision,
    turn,
    releaseId,
    from.revision,
    from.at,
    until.revision,
    until.at,
    revision,
    turn,
    limit,
  ]);
  const all = rows.flatMap((row) =>
    movesOf(row.moves).map((move, index) => ({ move, key: [Number(row.revision), Number(row.turn), index] })),
  );
  const behind = all.filter(({ key }) => isBehind(key, last));
  const page = behind.slice(0, limit);
  const next = behind.length > limit ? (page.at(-1)?.key ?? null) : null;
  return { rows: page.map(({ move }) => move), next, count: Number(rows[0]?.total ?? 0) };
};

/** The releases as table `v`, each once. */
const askedFor = ({ dialect }: Access, releaseIds: readonly string[]) => {
  const { table, bindings } = dialect.rowset('v', { release_id: 'id' });
  return { table, bindings: bindings([...new Set(releaseIds)].map((id) => [id])) };
};

/** Returns the last `count` points of each release, oldest first. */
const last = async (access: Access, releaseIds: readonly string[], count: number) => {
  const asked = askedFor(access, releaseIds);
  const rows = await access.read<PointRow>(
    `select ${POINT_COLUMNS}
      from ${asked.table} join history_points h on h.release_id = v.release_id and h.second >= (select min(l.second) from
        (select s.second from history_points s where s.release_id = v.release_id order by s.second desc limit ?) l)
      order by h.release_id, h.second`,
    [...asked.bindings, count],
  );
  const points = groupedBy(rows.map(pointOf), ({ releaseId }) => releaseId);
  return releaseIds.map((id) => points.get(id) ?? []);
};

/** Reads each newest point by one index lookup: in a join, PostgreSQL would look for the last second of every point. */
const newest = async (access: Access, releaseIds: readonly string[]) => {
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

/** Reads the points of a release as one text: a row for every point would cost several times as much. */
const trends = async (access: Access, releaseIds: readonly string[], count: number) => {
  const { jsonArray, jsonArrayOf, milliseconds } = access.dialect;
  const asked = askedFor(access, releaseIds);
  // A literal, so that PostgreSQL plans for few points: with a parameter it would sort all points.
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
const latest = async (access: Access, releaseIds: readonly string[]) => {
  const asked = askedFor(access, releaseIds);
  // The subquery runs once per release: if it ran for each point, a long trend would be read from end to end.
  const rows = await access.read<RecordedRow>(
    `${RECORDED} join ${asked.table} on v.release_id = h.release_id
      and h.second = (select max(s.second) from history_points s where s.release_id = v.release_id)`,
    asked.bindings,
  );
  return inRequestedOrder(releaseIds, rows.map(recordedOf), ({ releaseId }) => releaseId);
};

/** Returns the last point at or before a moment; its revision is the newest one up to then that reads the same. */
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
      rows: query(access).from('history_points').where('release_id', releaseId).select<PointRow[]>(COLUMNS),
      sort: [{ name: 'second', kind: 'number' }],
      descending: false,
    } as const;
    return keysetPage(access, listing, page, pointOf, ({ at }) => [Math.floor(at / 1000)]);
  },
  last: (releaseIds, count) => last(access, releaseIds, count),
  newest: (releaseIds) => newest(access, releaseIds),
  trends: (releaseIds, count) => trends(access, releaseIds, count),
  latest: (releaseIds) => latest(access, releaseIds),
  pointAt: (releaseId, at) => pointAt(access, releaseId, at),
  moves: (releaseId, from, until, page) => pageOfMoves(access, releaseId, from, until, page),
});
