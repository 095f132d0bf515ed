import {
  type GateChange,
  type HistoryPoint,
  holdsWords,
  type Instant,
  type ListedGateChange,
  namesOfGateChange,
  timeLimitMove,
} from '@shipworthy/domain';
import type { DirtyRelease, GateChangeStore, HistoryStore, Knowledge, RecordedPoint } from '@shipworthy/domain/ports';
import { ascending, greatest, pageDown, pageUp } from './table.js';
import {
  keyOf,
  mergedCauses,
  NO_CAUSES,
  type ReleaseMark,
  type StoredMove,
  type TableAccess,
  type Tables,
} from './tables.js';

const SECOND = 1000;

const byTime = ({ at }: HistoryPoint) => [at];

const isDue = (change: ReleaseMark, now: number): boolean =>
  change.hiddenUntil <= now &&
  (change.revision > change.settledRevision || (change.dueAt !== null && change.dueAt <= now));

/** A point as the trend shows it. */
const shown = ({ revision, snapshot, ...point }: RecordedPoint): HistoryPoint => point;

/** Stores the time limits among the points' causes as moves; a limit that is stored already keeps its revision. */
const storeLimits = ({ moves }: Tables, points: readonly RecordedPoint[]): void => {
  for (const { releaseId, revision, causes } of points) {
    const known = new Set(moves.where('release', releaseId).map(({ turn }) => turn));
    for (const { kind, at } of causes) {
      if (kind !== 'time_limit' || known.has(at)) continue;
      const move = timeLimitMove(releaseId, at);
      moves.put(keyOf(releaseId, revision, at), { releaseId, revision, turn: at, move });
    }
  }
};

const isKnown = ({ revision, turn }: StoredMove, knowledge: Knowledge): boolean =>
  revision < knowledge.revision || (revision === knowledge.revision && turn <= knowledge.at);

export const historyStore = ({ read, change }: TableAccess): HistoryStore => ({
  claim: (now, limit, leaseMs, projectId) =>
    change(({ changes, releases }) => {
      const isMeant = ({ releaseId }: ReleaseMark) =>
        projectId === undefined || releases.get(releaseId)?.projectId === projectId;
      const due = changes.all().filter((each) => isDue(each, now) && isMeant(each));
      const longestWaiting = ascending(due, ({ changedAt, releaseId }) => [changedAt, releaseId]).slice(0, limit);
      return longestWaiting.map((each): DirtyRelease => {
        const { releaseId, revision } = each;
        const claimed = mergedCauses(each.claimed, each.pending);
        const claimedUntil = now + leaseMs;
        changes.put(releaseId, { ...each, hiddenUntil: claimedUntil, claimed, pending: NO_CAUSES });
        return { releaseId, revision, causes: claimed.named, causeCount: claimed.count, claimedUntil };
      });
    }),
  settle: ({ releaseId, revision, claimedUntil }, settled, nextTimeLimit, unmoved) =>
    change((tables) => {
      const { changes, points } = tables;
      const before = changes.get(releaseId);
      if (before?.hiddenUntil !== claimedUntil) return false;
      for (const point of settled) points.put(keyOf(releaseId, Math.floor(point.at / SECOND)), point);
      storeLimits(tables, settled);
      if (unmoved !== undefined) {
        tables.unmoved.put(keyOf(releaseId, Math.floor(unmoved.at / SECOND)), { ...unmoved, releaseId });
      }
      changes.put(releaseId, {
        ...before,
        settledRevision: Math.max(before.settledRevision, revision),
        claimed: NO_CAUSES,
        hiddenUntil: 0,
        dueAt: nextTimeLimit,
      });
      return true;
    }),
  page: (releaseId, page) =>
    read(({ points }) => {
      const { rows, next } = pageUp(points.where('release', releaseId), byTime, page);
      return { rows: rows.map(shown), next };
    }),
  last: (releaseIds, count) =>
    read(({ points }) =>
      releaseIds.map((id) =>
        count < 1 ? [] : ascending(points.where('release', id), byTime).slice(-count).map(shown),
      ),
    ),
  newest: (releaseIds) =>
    read(({ points }) =>
      releaseIds.map((id) => {
        const point = greatest(points.where('release', id), byTime);
        return point && { at: point.at, score: point.score, revision: point.revision };
      }),
    ),
  trends: (releaseIds, count) =>
    read(({ points }) =>
      releaseIds.map((id) =>
        count < 1
          ? []
          : ascending(points.where('release', id), byTime)
              .slice(-count)
              .map(({ at, score }) => ({ at, score })),
      ),
    ),
  latest: (releaseIds) => read(({ points }) => releaseIds.map((id) => greatest(points.where('release', id), byTime))),
  pointAt: (releaseId, at) =>
    read(({ points, unmoved }) => {
      const lastOf = <Row extends { readonly at: Instant }>(rows: readonly Row[]) =>
        greatest(
          rows.filter((row) => row.at <= at),
          (row) => [row.at],
        );
      const point = lastOf(points.where('release', releaseId));
      if (point === undefined || point.revision === 0) return point;
      const revision = Math.max(point.revision, lastOf(unmoved.where('release', releaseId))?.revision ?? 0);
      return { ...point, revision };
    }),
  moves: (releaseId, from, until, page) =>
    read(({ moves }) => {
      const all = moves.where('release', releaseId).filter((each) => isKnown(each, until) && !isKnown(each, from));
      const { rows, next } = pageUp(all, ({ revision, turn }) => [revision, turn, 0], page);
      return { rows: rows.map(({ move }) => move), next, count: all.length };
    }),
});

type NotedChange = GateChange & { readonly notedAt: Instant };

const ofTeams = ({ gateChanges, projects, teams }: Tables, teamIds: readonly string[]): readonly NotedChange[] =>
  teamIds
    .filter((teamId) => teams.get(teamId)?.archivedAt === undefined)
    .flatMap((teamId) => gateChanges.where('team', teamId))
    .filter(({ projectId }) => projects.get(projectId)?.archivedAt === undefined);

const listed = (
  { projects, releases }: Tables,
  { projectId, releaseId, ...change }: NotedChange,
): readonly ListedGateChange[] => {
  const [project, release] = [projects.get(projectId), releases.get(releaseId)];
  if (project === undefined || release === undefined) return [];
  return [
    { ...change, project: { id: projectId, name: project.name }, release: { id: releaseId, name: release.name } },
  ];
};

export const gateChangeStore = ({ read, change }: TableAccess): GateChangeStore => ({
  append: (changes, now) =>
    change(({ gateChanges }) => {
      let last = gateChanges.all().reduce((latest, { notedAt }) => Math.max(latest, notedAt), now - 1);
      for (const each of changes) {
        last += 1;
        gateChanges.put(each.id, { ...each, notedAt: last });
      }
    }),
  page: (teamIds, page, text) =>
    read((tables) => {
      const isFound = holdsWords(text);
      const found = ofTeams(tables, teamIds)
        .flatMap((row) => listed(tables, row))
        .filter((change) => isFound(namesOfGateChange(change)));
      return pageDown(found, ({ notedAt }) => [notedAt], page);
    }),
  countAfter: (teamIds, after, most) =>
    read((tables) => Math.min(most, ofTeams(tables, teamIds).filter(({ notedAt }) => notedAt > after).length)),
  readUpTo: (userId) => read(({ readUpTo, users }) => readUpTo.get(userId) ?? users.get(userId)?.user.createdAt),
  setReadUpTo: (userId, upTo) => change(({ readUpTo }) => readUpTo.put(userId, upTo)),
  removeBefore: (before) =>
    change(({ gateChanges }) => {
      const old = gateChanges.all().filter(({ notedAt }) => notedAt < before);
      for (const { id } of old) gateChanges.remove(id);
      return old.length;
    }),
});
