import type { Instant } from '../instant.js';
import type { GateDecision, Reason } from './readiness-report.js';
import type { Waiver } from './waiver.js';
import { covers } from './waiver-rules.js';

/** Reasons for which a release cannot be judged, unlike those it was judged by. */
const isUnknown = ({ code }: Reason): boolean => code === 'axis_unmeasured' || code === 'no_weights';

/**
 * `hold` when a measured condition fails; otherwise `unknown` when something required is unmeasured or there is no
 * score; otherwise `go`. With `heedWaivers` a waived reason counts as met.
 */
export const decide = (reasons: readonly Reason[], score: number | null, heedWaivers: boolean): GateDecision => {
  let decision: GateDecision = score === null ? 'unknown' : 'go';
  for (const reason of reasons) {
    if (heedWaivers && reason.waived) continue;
    if (!isUnknown(reason)) return 'hold';
    decision = 'unknown';
  }
  return decision;
};

const coversAny = (waiver: Waiver, reasons: readonly Reason[], asOf: Instant): boolean =>
  reasons.some(({ code, axis, actual }) => covers(waiver, code, axis, actual, asOf));

/** The waivers that cover one of the reasons now, oldest first; they come in any order. */
export const applyingWaivers = (
  waivers: readonly Waiver[],
  reasons: readonly Reason[],
  asOf: Instant,
): readonly Waiver[] =>
  waivers
    .filter((waiver) => coversAny(waiver, reasons, asOf))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
