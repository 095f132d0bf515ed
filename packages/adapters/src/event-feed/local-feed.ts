import type { ReleaseEvent } from '@shipworthy/domain';
import type { EventFeed } from '@shipworthy/domain/ports';

/** A feed within one process. */
export interface LocalFeed extends EventFeed {
  /** Hands the events to everybody who listens. */
  tell(events: readonly ReleaseEvent[]): void;
  /** Lets everybody who listens know that a gap is over. */
  miss(): void;
}

interface Listener {
  heard(event: ReleaseEvent): void;
  missed(): void;
}

/** A feed without listeners. Calls `changed` when the first listener comes and when the last one leaves. */
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
