import { AXES, type Axis } from './axis.js';
import { sameCounting } from './counting-rules.js';
import type { Policy } from './policy.js';

type Differs = (a: Policy, b: Policy) => boolean;

const demandsOtherwise = (axis: Axis, a: Policy, b: Policy): boolean =>
  a.weights[axis] !== b.weights[axis] ||
  a.minimums[axis] !== b.minimums[axis] ||
  a.requiredAxes.includes(axis) !== b.requiredAxes.includes(axis);

const OWN: Partial<Record<Axis, Differs>> = {
  quality: (a, b) => a.maxOpenCriticalBugs !== b.maxOpenCriticalBugs,
  verification: (a, b) => a.verification !== b.verification || a.freshnessHours !== b.freshnessHours,
  stability: (a, b) =>
    !sameCounting({ ...a, verification: b.verification }, b) ||
    a.minFinishedDeployments !== b.minFinishedDeployments ||
    (a.stabilityBound ?? 'rate') !== (b.stabilityBound ?? 'rate'),
};

/** The axes of which another policy counts or demands something else, in axis order; its threshold is none's. */
export const axesOfPolicy = (a: Policy, b: Policy): readonly Axis[] =>
  AXES.filter((axis) => demandsOtherwise(axis, a, b) || OWN[axis]?.(a, b) === true);
