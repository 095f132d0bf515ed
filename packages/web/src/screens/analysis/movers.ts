import type { HistoryPoint } from '@shipworthy/client';

/** A point of the trend that changed the score or the decision, with the score before it. */
export interface Mover {
  readonly point: HistoryPoint;
  /** null: nothing was measured. */
  readonly before: number | null;
}

/** What moved the score or the gate, the latest first, as many as asked for. Points are in order of time. */
export const moversOf = (points: readonly HistoryPoint[], most: number): readonly Mover[] =>
  points
    .map((point, index) => ({ point, before: points[index - 1] }))
    .filter(
      ({ point, before }) => before === undefined || before.score !== point.score || before.decision !== point.decision,
    )
    .map(({ point, before }) => ({ point, before: before?.score ?? null }))
    .reverse()
    .slice(0, most);
