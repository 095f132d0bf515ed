import { AXES, type Axis } from './axis.js';
import type { ReadinessReport, Reason } from './readiness-report.js';

/** How one axis stood in a report. */
export interface AxisStanding {
  readonly state: 'measured' | 'unmeasured';
  /** null: unmeasured. */
  readonly score: number | null;
}

/** What changed from one report to another. */
export interface Difference {
  /** All five, in axis order. */
  readonly axes: readonly { readonly axis: Axis; readonly before: AxisStanding; readonly after: AxisStanding }[];
  readonly reasons: {
    /** As they read before. */
    readonly gone: readonly Reason[];
    /** As they read after. */
    readonly come: readonly Reason[];
  };
}

const standingOf = ({ axes }: ReadinessReport, axis: Axis): AxisStanding => {
  const reading = axes.find((each) => each.axis === axis);
  return reading?.state === 'measured'
    ? { state: 'measured', score: reading.score }
    : { state: 'unmeasured', score: null };
};

/** The reasons of one report that the other does not give, by code and axis. */
const onlyIn = ({ gate }: ReadinessReport, other: ReadinessReport): readonly Reason[] =>
  gate.reasons.filter(({ code, axis }) => !other.gate.reasons.some((each) => each.code === code && each.axis === axis));

/** What changed between two reports of one release: each axis before and after, reasons that went and that came. */
export const difference = (before: ReadinessReport, after: ReadinessReport): Difference => ({
  axes: AXES.map((axis) => ({ axis, before: standingOf(before, axis), after: standingOf(after, axis) })),
  reasons: { gone: onlyIn(before, after), come: onlyIn(after, before) },
});
