import type { Instant } from '../instant.js';
import type { EventReading, ReleaseEvent } from './event.js';

/** What is sent to others about something: the payload of Standard Webhooks. */
export interface EventMessage {
  readonly type: string;
  /** RFC 3339, UTC, with milliseconds: when it became true. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A message in the words of the interface. */
export const eventMessage = ({ type, at, teamId, project, release, reading, before }: ReleaseEvent): EventMessage =>
  messageOf(type, at, { team_id: teamId, project, release, ...wire(reading), before: before && wire(before) });

/** A message of its own kind. */
export const messageOf = (type: string, at: Instant, data: EventMessage['data']): EventMessage => ({
  type,
  timestamp: new Date(at).toISOString(),
  data,
});

const wire = ({ score, coverage, decision }: EventReading): EventReading => ({ score, coverage, decision });
