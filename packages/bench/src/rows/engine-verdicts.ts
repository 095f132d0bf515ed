import { AXES, type Axis, type PerAxis, type ReadinessReport } from '@shipworthy/domain/readiness';
import type { AxisScores, ScoredAxes } from '../baseline/gate-rules.js';

const perAxis = <Value>(of: (axis: Axis) => Value): PerAxis<Value> => ({
  scope: of('scope'),
  quality: of('quality'),
  ops: of('ops'),
  verification: of('verification'),
  stability: of('stability'),
});

/** The scores of a report, for the rules that get them computed beforehand. */
export const scoresOf = (report: ReadinessReport): AxisScores =>
  perAxis((axis) => {
    const reading = report.axes[AXES.indexOf(axis)];
    return reading?.state === 'measured' ? reading.score : null;
  });

/** The same, an object per axis. */
export const scoredAxes = (scores: AxisScores): ScoredAxes => perAxis((axis) => ({ score: scores[axis] }));

const allMinimumsHold = (report: ReadinessReport): boolean =>
  report.gate.reasons.every((reason) => reason.axis === null || reason.code === 'open_critical_bugs');

/** Compares what the contestants decide: if they disagreed, they would not be doing the same work. @throws Error */
export const requireSameVerdicts = async (
  reports: readonly ReadinessReport[],
  byRules: (report: ReadinessReport) => Promise<boolean>,
): Promise<void> => {
  for (const report of reports)
    if ((await byRules(report)) !== allMinimumsHold(report))
      throw new Error('The engine and the rules disagree about the five minimums.');
  for (const decision of ['go', 'hold', 'unknown'])
    if (!reports.some((report) => report.gate.decision === decision))
      throw new Error(`No release of the mix is judged ${decision}.`);
};
