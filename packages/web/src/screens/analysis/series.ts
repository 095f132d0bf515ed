import type { Flow } from '../../charts/flow-bars.js';
import type { StepPoint } from '../../charts/step-path.js';
import type { ProgressPoint } from './analysis-words.js';

/** One number of each point, from the beginning of its span on. */
export const seriesOf = (points: readonly ProgressPoint[], value: (point: ProgressPoint) => number): StepPoint[] =>
  points.map((point) => ({ at: Date.parse(point.from), value: value(point) }));

/** What came into the release and left it, span by span. */
export const flowsOf = (points: readonly ProgressPoint[]): readonly Flow[] =>
  points.map(({ from, at, added, removed, canceled }) => ({
    from: Date.parse(from),
    to: Date.parse(at),
    came: added,
    went: removed + canceled,
  }));

/** From the first moment to the last one, in milliseconds since the epoch. */
export const extentOf = (points: readonly ProgressPoint[]): readonly [from: number, to: number] => [
  Date.parse(points[0]?.from ?? ''),
  Date.parse(points.at(-1)?.at ?? ''),
];
