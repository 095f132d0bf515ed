import type { ReleaseEvent } from '../../src/event.js';
import type { Ports } from '../../src/ports.js';

/** The events that are told from now on. */
export const listening = ({ feed }: Pick<Ports, 'feed'>): readonly ReleaseEvent[] => {
  const heard: ReleaseEvent[] = [];
  feed.subscribe((event) => heard.push(event));
  return heard;
};

/** What was told, in short. */
export const toldOf = (heard: readonly ReleaseEvent[]): readonly string[] =>
  heard.map(({ type, release, reading }) => `${type} ${release.name} ${reading.score} ${reading.decision}`);
