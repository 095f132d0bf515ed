import { timeTicks } from './time-ticks.js';

/** Room a time's text takes. */
const TICK_WIDTH = 90;

interface TimeAxisProps {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly x: (at: number) => number;
  /** Where the drawing begins and ends. */
  readonly left: number;
  readonly right: number;
  /** Where the texts stand. */
  readonly y: number;
}

/** Round moments under a drawing. */
export const TimeAxis = ({ from, to, x, left, right, y }: TimeAxisProps) => (
  <>
    {timeTicks(from, to, Math.max(1, Math.floor((right - left) / TICK_WIDTH))).map(({ at, text }) => (
      <text key={at} class="chart-text" x={Math.min(Math.max(x(at), left + 16), right - 18)} y={y} text-anchor="middle">
        {text}
      </text>
    ))}
  </>
);
