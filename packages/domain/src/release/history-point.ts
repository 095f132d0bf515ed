import { AXES } from '../readiness/axis.js';
import type { Cause, DirtyRelease, HistoryPoint } from '../readiness/history-store.js';
import type { ReadinessReport } from '../readiness/readiness-report.js';

const MOST_CAUSES = 20;

/** The point a report is in its release's trend. A time limit that passed since the last change is a cause too. */
export const historyPoint = (dirty: DirtyRelease, report: ReadinessReport, timeLimit: boolean): HistoryPoint => {
  const passed: readonly Cause[] = timeLimit ? [{ kind: 'time_limit', id: dirty.releaseId, at: report.asOf }] : [];
  const scores = new Map(report.axes.map((reading) => [reading.axis, 'score' in reading ? reading.score : null]));
  return {
    releaseId: dirty.releaseId,
    at: report.asOf,
    score: report.score,
    coverage: report.coverage,
    decision: report.gate.decision,
    axes: AXES.map((axis) => ({ axis, score: scores.get(axis) ?? null })),
    causes: [...dirty.causes, ...passed].slice(0, MOST_CAUSES),
    causeCount: dirty.causeCount + passed.length,
  };
};

/** Whether two points of one release read the same; when and why aside. */
export const readsTheSame = (a: HistoryPoint, b: HistoryPoint): boolean =>
  a.score === b.score &&
  a.coverage === b.coverage &&
  a.decision === b.decision &&
  a.axes.every(({ axis, score }) => b.axes.some((other) => other.axis === axis && other.score === score));
