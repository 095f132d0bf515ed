/** A value from a moment on, in milliseconds since the epoch, until the next one; null: unknown. */
export interface StepPoint {
  readonly at: number;
  readonly value: number | null;
}

/** A known value at a moment. */
export interface KnownPoint {
  readonly at: number;
  readonly value: number;
}

/**
 * The stretches in which the value is known, each ended by its last value at the moment it stops to hold: where it
 * becomes unknown, or at `end`.
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

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

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

/** Stretches of equal values, each until the next one begins; the last until `end`. */
export const spans = <Value>(
  points: readonly { readonly at: number; readonly value: Value }[],
  end: number,
): readonly { readonly from: number; readonly to: number; readonly value: Value }[] => {
  const changes = points.filter(({ value }, index) => value !== points[index - 1]?.value);
  return changes.map(({ at, value }, index) => ({ from: at, to: Math.max(at, changes[index + 1]?.at ?? end), value }));
};
