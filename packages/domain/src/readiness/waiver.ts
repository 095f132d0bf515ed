import type { Instant } from '../time.js';
import type { AxisName } from './axis.js';
import { inHundredths } from './numbers.js';

/** The conditions a person can accept although they fail. */
export const WAIVABLE_CODES = [
  'score_below_threshold',
  'axis_below_minimum',
  'axis_unmeasured',
  'open_critical_bugs',
] as const;
export type WaivableCode = (typeof WAIVABLE_CODES)[number];

export const REASON_CODES = ['no_weights', ...WAIVABLE_CODES] as const;
/** The conditions a ship gate can fail. No waiver covers `no_weights`: without weights nothing is judged. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** A person's expiring acceptance of one hold reason on one release. */
export interface Waiver {
  readonly id: string;
  readonly releaseId: string;
  readonly code: WaivableCode;
  /** The reason's axis; null for reasons without one. */
  readonly axis: AxisName | null;
  /** Why it is accepted. */
  readonly text: string;
  /** The reason's `actual` when it was signed; null where the axis was unmeasured. It covers nothing worse. */
  readonly actual: number | null;
  /** Name of the person who signed it. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  /** The moment at which it stops applying. */
  readonly expiresAt: Instant;
  readonly withdrawnAt: Instant | null;
  readonly withdrawnBy: string | null;
}

/** Whether the waiver is in force at `asOf`: signed by then, not withdrawn, not expired (`expiresAt` itself is too late). */
export const isInForce = (waiver: Waiver, asOf: Instant): boolean =>
  waiver.withdrawnAt === null && waiver.createdAt <= asOf && asOf < waiver.expiresAt;

type WaiverState = 'active' | 'expired' | 'withdrawn';

/** Returns the state of a waiver at that moment; an active one need not cover a reason. */
export const waiverStateOf = ({ withdrawnAt, expiresAt }: Waiver, at: Instant): WaiverState => {
  if (withdrawnAt !== null) return 'withdrawn';
  return expiresAt <= at ? 'expired' : 'active';
};

const isAbout = (waiver: Waiver, code: ReasonCode, axis: AxisName | null): boolean =>
  waiver.code === code && waiver.axis === axis;

/**
 * Whether the `actual` of a reason is no worse than another one of the same code (scores: at least it; bugs: at most it;
 * unmeasured: both null).
 */
export const isNoWorse = (code: ReasonCode, actual: number | null, than: number | null): boolean => {
  if (than === null || actual === null) return than === actual && code === 'axis_unmeasured';
  return code === 'open_critical_bugs' ? actual <= than : inHundredths(actual) >= inHundredths(than);
};

/**
 * Whether the waiver covers the reason at `asOf`: in force, about this code and axis, and the reason's `actual` is no
 * worse than the one it was signed for.
 */
export const covers = (
  waiver: Waiver,
  code: ReasonCode,
  axis: AxisName | null,
  actual: number | null,
  asOf: Instant,
): boolean => isAbout(waiver, code, axis) && isInForce(waiver, asOf) && isNoWorse(code, actual, waiver.actual);

/** Whether any waiver covers the reason at `asOf`. */
export const isWaived = (
  waivers: readonly Waiver[],
  code: ReasonCode,
  axis: AxisName | null,
  actual: number | null,
  asOf: Instant,
): boolean => {
  for (const waiver of waivers) if (covers(waiver, code, axis, actual, asOf)) return true;
  return false;
};

/**
 * Returns the score demanded once waivers apply, in hundredths: `demand`, or less where waivers in force accept less.
 */
export const acceptedScore = (
  waivers: readonly Waiver[],
  code: 'score_below_threshold' | 'axis_below_minimum',
  axis: AxisName | null,
  demand: number,
  asOf: Instant,
): number => {
  let accepted = demand;
  for (const waiver of waivers)
    if (waiver.actual !== null && isAbout(waiver, code, axis) && isInForce(waiver, asOf))
      accepted = Math.min(accepted, inHundredths(waiver.actual));
  return accepted;
};

/** Returns the open critical bugs allowed once waivers apply: `limit`, or more where waivers in force accept more. */
export const acceptedBugs = (waivers: readonly Waiver[], limit: number, asOf: Instant): number => {
  let accepted = limit;
  for (const waiver of waivers)
    if (waiver.actual !== null && isAbout(waiver, 'open_critical_bugs', null) && isInForce(waiver, asOf))
      accepted = Math.max(accepted, Math.floor(waiver.actual));
  return accepted;
};

/** Stores waivers. Every change marks the release as changed. */
export interface WaiverStore {
  add(waiver: Waiver): Promise<void>;
  /** All of the release, withdrawn and expired ones too, oldest first (createdAt, then id). */
  ofRelease(releaseId: string): Promise<readonly Waiver[]>;
  /** Keeps the record with who withdrew it and when; false when there is none of that id or it is withdrawn already. */
  withdraw(releaseId: string, waiverId: string, at: Instant, by: string): Promise<boolean>;
}
