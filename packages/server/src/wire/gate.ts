import type { Gate as WireGate, Reason as WireReason } from '@shipworthy/client/contract';
import type { Gate, Reason } from '@shipworthy/domain';
import { wireWaiver } from './waiver.js';

/** A failed condition; `axis` only where it concerns one. */
export const wireReason = ({ code, axis, actual, required, message, waived }: Reason): WireReason => ({
  code,
  ...(axis === null ? {} : { axis }),
  actual,
  required,
  message,
  waived,
});

/** The ship gate. */
export const wireGate = (gate: Gate): WireGate => ({
  decision: gate.decision,
  reasons: gate.reasons.map(wireReason),
  decision_without_waivers: gate.decisionWithoutWaivers,
  waivers: gate.waivers.map(wireWaiver),
  next_steps: gate.nextSteps.map(({ axis, action, count, gain, message }) => ({ axis, action, count, gain, message })),
});
