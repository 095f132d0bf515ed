import type { Instant } from '../instant.js';
import type { GateDecision } from '../readiness/readiness-report.js';

export const EVENT_TYPES = [
  'readiness.changed',
  'gate.changed',
  'release.activated',
  'release.shipped',
  'release.canceled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a release's report read at the event. */
export interface EventReading {
  readonly score: number | null;
  /** 0-1. */
  readonly coverage: number;
  readonly decision: GateDecision;
}

/** Something that became true of a release, for whoever listens. */
export interface ReleaseEvent {
  /** UUIDv7; the same at every listener. */
  readonly id: string;
  readonly at: Instant;
  readonly type: EventType;
  readonly teamId: string;
  readonly project: { readonly id: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
  readonly reading: EventReading;
  /** What it read before; null: nothing had been recorded. */
  readonly before: EventReading | null;
}
