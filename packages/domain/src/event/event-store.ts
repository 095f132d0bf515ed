import type { ReleaseEvent } from './event.js';

/** Hands events on. */
export interface EventStore {
  /**
   * Inside the transaction that makes them true: remembers a delivery for each webhook that wants them, and tells every
   * instance of the service after the commit. Nothing is told when the transaction is undone.
   */
  append(events: readonly ReleaseEvent[]): Promise<void>;
}

/** The events of all instances, as they are committed. */
export interface EventFeed {
  /**
   * Calls the listener with each event from now on, once, in the order of their commits; what it answers ends that.
   * A listener must not throw. Feeds between processes need a moment to begin, and miss what is told while they are cut
   * off from the database: `missed` is called when such a gap is over, and must not throw either.
   */
  subscribe(listener: (event: ReleaseEvent) => void, missed?: () => void): () => void;
}
