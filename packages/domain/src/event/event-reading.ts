import type { ReadinessReport } from '../readiness/readiness-report.js';
import type { EventReading } from './event.js';

/** What an event says of a report. */
export const readingOfReport = ({ score, coverage, gate }: ReadinessReport): EventReading => ({
  score,
  coverage,
  decision: gate.decision,
});

/** What an event says of a point of the trend; null: there is none. */
export const readingOfPoint = (point: EventReading | undefined): EventReading | null =>
  point === undefined ? null : { score: point.score, coverage: point.coverage, decision: point.decision };
