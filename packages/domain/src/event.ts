import type { Gate, GateDecision, ReadinessReport } from './readiness/report.js';
import type { Waiver } from './readiness/waiver.js';
import type { Instant } from './time.js';

const EVENT_TYPES = [
  'readiness.changed',
  'gate.changed',
  'release.activated',
  'release.shipped',
  'release.canceled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Score, coverage and decision of a release at the event. */
interface EventReading {
  readonly score: number | null;
  /** 0-1. */
  readonly coverage: number;
  readonly decision: GateDecision;
}

/** How waivers changed the decision: a `go` that depends on waivers says so in every message. */
interface WaivedDecision {
  readonly decisionWithoutWaivers: GateDecision;
  /** The waivers that cover a reason, oldest first, at most 10: an event has to fit into a notification of the database. */
  readonly waivers: readonly Pick<Waiver, 'id' | 'code' | 'axis' | 'expiresAt'>[];
}

const MOST_WAIVERS = 10;

/** The effect of waivers on a gate's decision. */
export const waivedDecision = ({ decisionWithoutWaivers, waivers }: Gate): WaivedDecision => ({
  decisionWithoutWaivers,
  waivers: waivers.slice(0, MOST_WAIVERS).map(({ id, code, axis, expiresAt }) => ({ id, code, axis, expiresAt })),
});

/** A change of a release, sent to webhooks and event streams. */
export interface ReleaseEvent {
  /** UUIDv7; the same at every listener. */
  readonly id: string;
  readonly at: Instant;
  readonly type: EventType;
  readonly teamId: string;
  readonly project: { readonly id: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
  readonly reading: EventReading;
  /** Missing: sent by an instance of an older version. */
  readonly waived?: WaivedDecision;
  /** The reading before; null: nothing had been recorded. */
  readonly before: EventReading | null;
}

/** The message of an event, as Standard Webhooks defines it. */
interface EventMessage {
  readonly type: string;
  /** RFC 3339, UTC, with milliseconds: when it became true. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Makes the message of an event, in wire form. */
export const eventMessage = (event: ReleaseEvent): EventMessage => {
  const { type, at, teamId, project, release, reading, waived, before } = event;
  const told = { ...wire(reading), ...(waived && waivedForm(waived)), before: before && wire(before) };
  return messageOf(type, at, { team_id: teamId, project, release, ...told });
};

/** Makes a message of any type; `data` is in wire form. */
export const messageOf = (type: string, at: Instant, data: EventMessage['data']): EventMessage => ({
  type,
  timestamp: new Date(at).toISOString(),
  data,
});

const wire = ({ score, coverage, decision }: EventReading): EventReading => ({ score, coverage, decision });

const waivedForm = ({ decisionWithoutWaivers, waivers }: WaivedDecision) => ({
  decision_without_waivers: decisionWithoutWaivers,
  waivers: waivers.map(({ id, code, axis, expiresAt }) => ({
    id,
    code,
    ...(axis === null ? {} : { axis }),
    expires_at: new Date(expiresAt).toISOString(),
  })),
});

/** The part of a report that events carry. */
export const readingOfReport = ({ score, coverage, gate }: ReadinessReport): EventReading => ({
  score,
  coverage,
  decision: gate.decision,
});

/** The part of a trend point that events carry; null: there is no point. */
export const readingOfPoint = (point: EventReading | undefined): EventReading | null =>
  point === undefined ? null : { score: point.score, coverage: point.coverage, decision: point.decision };

/** Sends events to webhooks and event streams. */
export interface EventStore {
  /**
   * Called inside the transaction that makes the events true. Stores a delivery for each webhook that wants them, and
   * notifies every instance of the service after the commit; after a rollback, no instance.
   */
  append(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The events of all instances, as they are committed. */
export interface EventFeed {
  /**
   * Calls the listener once with each event from now on, in commit order; returns a function that ends this. A feed
   * between processes starts with a short delay, and misses events while it is cut off from the database: after such a
   * gap it calls `missed`. Neither `listener` nor `missed` may throw.
   */
  subscribe(listener: (event: ReleaseEvent) => void, missed?: () => void): () => void;
}

/** The part of a trend point that events carry. */
export interface EventPoint extends EventReading {
  readonly at: Instant;
  readonly waived?: WaivedDecision;
}

/** The release that the points belong to. */
interface EventRelease {
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
}

const readsTheSame = (a: EventReading | null, b: EventReading): boolean =>
  a !== null && a.score === b.score && a.coverage === b.coverage && a.decision === b.decision;

/**
 * Makes the events of new points of a release's trend, oldest first: `readiness.changed` where score, coverage or
 * decision differ from the point before, followed by `gate.changed` where the decision does.
 * @param last the last point before the new ones; undefined: there is none
 */
export const eventsOfPoints = (
  { project, release }: EventRelease,
  last: EventReading | undefined,
  points: readonly EventPoint[],
  newId: () => string,
): readonly ReleaseEvent[] => {
  const whose = {
    teamId: project.teamId,
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name },
  };
  let before = readingOfPoint(last);
  return points.flatMap((point) => {
    const reading = { score: point.score, coverage: point.coverage, decision: point.decision };
    if (readsTheSame(before, reading)) return [];
    const types: readonly EventType[] =
      before?.decision === reading.decision ? ['readiness.changed'] : ['readiness.changed', 'gate.changed'];
    const waived = point.waived && { waived: point.waived };
    const told = types.map((type) => ({ id: newId(), at: point.at, type, ...whose, reading, ...waived, before }));
    before = reading;
    return told;
  });
};
