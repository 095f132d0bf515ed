import type { Instant } from '../instant.js';
import type { EventReading, EventType, ReleaseEvent } from './event.js';
import { readingOfPoint } from './event-reading.js';

/** A point of a release's trend, as far as it is told of. */
export interface ToldPoint extends EventReading {
  readonly at: Instant;
}

/** Whose points they are. */
export interface ToldRelease {
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  readonly release: { readonly id: string; readonly name: string };
}

const readsTheSame = (a: EventReading | null, b: EventReading): boolean =>
  a !== null && a.score === b.score && a.coverage === b.coverage && a.decision === b.decision;

/**
 * The events of the points by which a release's trend goes on, oldest first: `readiness.changed` where score, coverage or
 * decision differ from the point before, and `gate.changed` behind it where the decision does.
 * @param last the last point before them; undefined: there is none
 */
export const eventsOfPoints = (
  { project, release }: ToldRelease,
  last: EventReading | undefined,
  points: readonly ToldPoint[],
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
    const told = types.map((type) => ({ id: newId(), at: point.at, type, ...whose, reading, before }));
    before = reading;
    return told;
  });
};
