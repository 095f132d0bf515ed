import type { Instant } from '../instant.js';
import { AXES } from '../readiness/axis.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';
import { timeLimitsBetween } from '../readiness/time-limits.js';
import type { DirtyRelease, HistoryPoint, RecordedPoint, Snapshot } from './history-store.js';
import { liveReport } from './live-report.js';
import { type Cause, type Move, timeLimitMove } from './move.js';
import type { ReleaseDossier } from './release-facts-store.js';
import { sameValue } from './same-value.js';

const MOST_CAUSES = 20;
const SECOND = 1_000;

const snapshotOf = (dossier: ReleaseDossier, { facts, policy, waivers }: FrozenReport | ReleaseDossier): Snapshot => ({
  project: { name: dossier.project.name },
  release: { name: dossier.release.name, state: dossier.release.state },
  facts,
  policy,
  waivers,
});

/** The point a release is at. @param frozen what it shipped with; null: its report is the live one */
const pointOf = (
  dossier: ReleaseDossier,
  at: Instant,
  report: ReadinessReport,
  frozen: FrozenReport | null = null,
): RecordedPoint => {
  const scores = new Map(report.axes.map((reading) => [reading.axis, 'score' in reading ? reading.score : null]));
  return {
    releaseId: dossier.release.id,
    at,
    score: report.score,
    coverage: report.coverage,
    decision: report.gate.decision,
    axes: AXES.map((axis) => ({ axis, score: scores.get(axis) ?? null })),
    causes: [],
    causeCount: 0,
    revision: dossier.revision.revision,
    snapshot: snapshotOf(dossier, frozen ?? dossier),
  };
};

const causedBy = (point: RecordedPoint, causes: readonly Cause[], count: number): RecordedPoint => ({
  ...point,
  causes: [...point.causes, ...causes].slice(0, MOST_CAUSES),
  causeCount: point.causeCount + count,
});

/** Whether two points of one release show the same numbers and the same decision. */
export const scoresTheSame = (a: HistoryPoint, b: HistoryPoint): boolean =>
  a.score === b.score &&
  a.coverage === b.coverage &&
  a.decision === b.decision &&
  a.axes.every(({ axis, score }) => b.axes.some((other) => other.axis === axis && other.score === score));

/** Whether they also stand on the same facts, policy, waivers and names; when and why aside. */
export const readsTheSame = (a: RecordedPoint, b: RecordedPoint): boolean =>
  scoresTheSame(a, b) && sameValue(a.snapshot, b.snapshot);

/** The moments since the last point at which a report that is still live changed by time alone. */
const limitsPassed = (dossier: ReleaseDossier, last: RecordedPoint | undefined, now: Instant): readonly Instant[] => {
  if (dossier.release.state === 'shipped') return [];
  const since = Math.max(dossier.revision.changedAt, last?.at ?? dossier.revision.changedAt);
  return timeLimitsBetween(dossier.facts, dossier.policy.policy, dossier.waivers, since, now);
};

/**
 * The points by which a release's trend goes on, oldest first: one for what changed, at the moment of the last change, and
 * one for each time limit that passed since; none where nothing moved. A point within the second of its forerunner takes
 * its place, causes included.
 * @param frozen what the release shipped with: its trend ends there; null: it has not shipped
 * @param last the last point there is
 */
export const pointsSince = (
  dirty: DirtyRelease,
  dossier: ReleaseDossier,
  frozen: FrozenReport | null,
  last: RecordedPoint | undefined,
  now: Instant,
): readonly RecordedPoint[] => {
  const points: RecordedPoint[] = [];
  let before = last;
  const add = (point: RecordedPoint, causes: readonly Cause[], count: number): void => {
    if (before !== undefined && readsTheSame(before, point)) return;
    const inPlace = before !== undefined && Math.floor(before.at / SECOND) === Math.floor(point.at / SECOND);
    const start = inPlace && before !== undefined ? causedBy(point, before.causes, before.causeCount) : point;
    before = causedBy(start, causes, count);
    points.push(before);
  };
  if (dirty.causeCount > 0 || last === undefined) {
    const { changedAt } = dossier.revision;
    if (last !== undefined && last.revision >= dirty.revision) {
      // These changes came between a claim and its reading: the last point shows them already and only lacks their names.
      before = causedBy(last, dirty.causes, dirty.causeCount);
      points.push(before);
    } else {
      const report = frozen?.report ?? liveReport(dossier, changedAt, { nextSteps: false });
      add(pointOf(dossier, changedAt, report, frozen), dirty.causes, dirty.causeCount);
    }
  }
  for (const at of limitsPassed(dossier, before, now)) {
    const point = pointOf(dossier, at, liveReport(dossier, at, { nextSteps: false }));
    add(point, [{ kind: 'time_limit', id: dirty.releaseId, at }], 1);
  }
  return points;
};

/** The time limits since the last change, up to and at a moment, that moved a report that is still live. */
export const passedLimits = (dossier: ReleaseDossier, until: Instant): readonly Move[] => {
  const { id: releaseId } = dossier.release;
  const { revision } = dossier.revision;
  const changed = { releaseId, revision, causes: [], causeCount: 1, claimedUntil: until };
  const points = pointsSince(changed, dossier, null, undefined, until);
  const passed = new Set(points.flatMap(({ causes }) => causes.map(({ at }) => at)));
  return [...passed].map((at) => timeLimitMove(releaseId, at));
};
