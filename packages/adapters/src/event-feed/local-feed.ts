import type { ReleaseEvent } from '@shipworthy/domain';
import type { EventFeed } from '@shipworthy/domain/ports';

/** A feed within one process. */
export interface LocalFeed extends EventFeed {
  /** Hands the events to every subscriber. */
  tell(events: readonly ReleaseEvent[]): void;
  /** Tells every subscriber, after a gap, that events may have been missed. */
  miss(): void;
}

interface Listener {
  heard(event: ReleaseEvent): void;
  missed(): void;
}

/** Makes a feed. Calls `changed` when the first listener comes (true) and when the last one leaves (false). */
export const localFeed = (changed: (listening: boolean) => void = () => {}): LocalFeed => {
  const listeners = new Set<Listener>();
  return {
    subscribe: (heard, missed = () => {}) => {
      const own = { heard, missed };
      listeners.add(own);
      if (listeners.size === 1) changed(true);
      return () => {
        if (listeners.delete(own) && listeners.size === 0) changed(false);
      };
    },
    tell: (events) => {
      for (const event of events) for (const { heard } of [...listeners]) heard(event);
    },
    miss: () => {
      for (const { missed } of [...listeners]) missed();
    },
  };
};
