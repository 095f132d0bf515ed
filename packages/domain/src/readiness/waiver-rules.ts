import type { Instant } from '../instant.js';
import type { Axis } from './axis.js';
import { inHundredths } from './hundredths.js';
import type { ReasonCode, Waiver } from './waiver.js';

/** Whether the waiver is in force at `asOf`: signed by then, not withdrawn, not expired (`expiresAt` itself is too late). */
export const isInForce = (waiver: Waiver, asOf: Instant): boolean =>
  waiver.withdrawnAt === null && waiver.createdAt <= asOf && asOf < waiver.expiresAt;

const isAbout = (waiver: Waiver, code: ReasonCode, axis: Axis | null): boolean =>
  waiver.code === code && waiver.axis === axis;

/**
 * Whether the waiver covers the reason at `asOf`: in force, about this code and axis, and the reason's `actual` is no
 * worse than the one it was signed for (scores: at least it; bugs: at most it; unmeasured: both null).
 */
export const covers = (
  waiver: Waiver,
  code: ReasonCode,
  axis: Axis | null,
  actual: number | null,
  asOf: Instant,
): boolean => {
  if (!isAbout(waiver, code, axis) || !isInForce(waiver, asOf)) return false;
  if (waiver.actual === null || actual === null) return waiver.actual === actual && code === 'axis_unmeasured';
  return code === 'open_critical_bugs' ? actual <= waiver.actual : inHundredths(actual) >= inHundredths(waiver.actual);
};

/** Whether any waiver covers the reason at `asOf`. */
export const isWaived = (
  waivers: readonly Waiver[],
  code: ReasonCode,
  axis: Axis | null,
  actual: number | null,
  asOf: Instant,
): boolean => {
  for (const waiver of waivers) if (covers(waiver, code, axis, actual, asOf)) return true;
  return false;
};

/** `demand` hundredths, or less where waivers in force accept less: what the score or the axis must really reach. */
export const acceptedScore = (
  waivers: readonly Waiver[],
  code: 'score_below_threshold' | 'axis_below_minimum',
  axis: Axis | null,
  demand: number,
  asOf: Instant,
): number => {
  let accepted = demand;
  for (const waiver of waivers)
    if (waiver.actual !== null && isAbout(waiver, code, axis) && isInForce(waiver, asOf))
      accepted = Math.min(accepted, inHundredths(waiver.actual));
  return accepted;
};

/** `limit` open critical bugs, or more where waivers in force accept more. */
export const acceptedBugs = (waivers: readonly Waiver[], limit: number, asOf: Instant): number => {
  let accepted = limit;
  for (const waiver of waivers)
    if (waiver.actual !== null && isAbout(waiver, 'open_critical_bugs', null) && isInForce(waiver, asOf))
      accepted = Math.max(accepted, Math.floor(waiver.actual));
  return accepted;
};
