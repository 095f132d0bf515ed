import type { ComponentChildren } from 'preact';
import { linearScale, TimeAxis } from './scales.js';

/** A value from a moment on, in milliseconds since the epoch, until the next one; null: unknown. */
export interface StepPoint {
  readonly at: number;
  readonly value: number | null;
}

/** One line of steps. */
export interface StepSeries {
  readonly name: string;
  /** The look of the line: each has its own colour and dash. */
  readonly look: 'first' | 'second' | 'third';
  readonly points: readonly StepPoint[];
}

interface StepChartProps {
  readonly width: number;
  readonly height: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Values that get a grid line and a number, in ascending order. */
  readonly ticks: readonly number[];
  readonly series: readonly StepSeries[];
  /** A level to compare with. */
  readonly level?: { readonly value: number; readonly text: string } | undefined;
  /** Room under the time axis, and what is drawn there. */
  readonly below?: {
    readonly height: number;
    readonly draw: (x: (at: number) => number, top: number) => ComponentChildren;
  };
}

/** Values that hold until they change: lines of steps over time, with gaps where nothing is known. */
export const StepChart = ({ width, height, from, to, ticks, series, level, below }: StepChartProps) => {
  const floor = height - BOTTOM - (below?.height ?? 0);
  const x = linearScale([from, Math.max(to, from + 1)], [LEFT, width - RIGHT]);
  const y = linearScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [floor, TOP]);
  // Whether a line ends at or above the level; the label of the level then goes below it.
  const isAbove = series.some(({ points }) => (points.at(-1)?.value ?? 0) >= (level?.value ?? 0));
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="chart-grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text class="chart-text" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <TimeAxis from={from} to={to} x={x} left={LEFT} right={width - RIGHT} y={floor + 18} />
      {level === undefined ? null : (
        <g>
          <line class="chart-level" x1={LEFT} x2={width - RIGHT} y1={y(level.value)} y2={y(level.value)} />
          <text class="chart-text" x={width - RIGHT} y={y(level.value) + (isAbove ? 14 : -5)} text-anchor="end">
            {level.text}
          </text>
        </g>
      )}
      {series.map(({ name, look, points }) => {
        const runs = knownRuns(points, to);
        const end = runs.at(-1)?.at(-1);
        return (
          <g key={name} class={`chart-series ${look}`}>
            {runs.map((run) => (
              <path key={run[0]?.at} class="chart-line" d={stepPath(run, x, y)} />
            ))}
            {end === undefined ? null : <circle cx={x(end.at)} cy={y(end.value)} r="3.5" />}
          </g>
        );
      })}
      {below?.draw(x, floor + BOTTOM)}
    </>
  );
};

const LEFT = 36;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

/** A known value at a moment. */
export interface KnownPoint {
  readonly at: number;
  readonly value: number;
}

/**
 * Returns the stretches in which the value is known. Each ends with its last value, repeated at the moment when the
 * value becomes unknown, or at `end`.
 */
export const knownRuns = (points: readonly StepPoint[], end: number): readonly (readonly KnownPoint[])[] => {
  const runs: KnownPoint[][] = [];
  let run: KnownPoint[] = [];
  const close = (at: number) => {
    const last = run.at(-1);
    if (last !== undefined) runs.push(at > last.at ? [...run, { at, value: last.value }] : run);
    run = [];
  };
  for (const { at, value } of points) {
    if (value === null) close(at);
    else run.push({ at, value });
  }
  close(end);
  return runs;
};

/** The path of one stretch: level until the next value, then straight up or down. */
export const stepPath = (
  run: readonly KnownPoint[],
  x: (at: number) => number,
  y: (value: number) => number,
): string => {
  let path = '';
  let level = 0;
  run.forEach(({ at, value }, index) => {
    const [left, height] = [rounded(x(at)), rounded(y(value))];
    path += index === 0 ? `M${left},${height}` : `L${left},${level}L${left},${height}`;
    level = height;
  });
  return path;
};

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Stretches of equal values, each until the next one begins; the last until `end`. */
export const spans = <Value,>(
  points: readonly { readonly at: number; readonly value: Value }[],
  end: number,
): readonly { readonly from: number; readonly to: number; readonly value: Value }[] => {
  const changes = points.filter(({ value }, index) => value !== points[index - 1]?.value);
  return changes.map(({ at, value }, index) => ({ from: at, to: Math.max(at, changes[index + 1]?.at ?? end), value }));
};
