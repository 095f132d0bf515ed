import type { Gate as WireGate, Reason as WireReason } from '@shipworthy/client/contract';
import { type Gate, gateForm, type Reason, reasonForm } from '@shipworthy/domain/readiness';

/** A failed condition; `axis` only where it concerns one. */
export const wireReason = (reason: Reason): WireReason => reasonForm(reason);

/** The ship gate. */
export const wireGate = (gate: Gate): WireGate => gateForm(gate);
