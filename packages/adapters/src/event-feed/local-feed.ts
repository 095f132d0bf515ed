import type { EventFeed, ReleaseEvent } from '@shipworthy/domain';

/** A feed within one process. */
export interface LocalFeed extends EventFeed {
  /** Hands the events to everybody who listens. */
  tell(events: readonly ReleaseEvent[]): void;
}

/** A feed nobody listens to yet. `changed` is called when there are listeners again, and when there are none any more. */
export const localFeed = (changed: (listening: boolean) => void = () => {}): LocalFeed => {
  const listeners = new Set<(event: ReleaseEvent) => void>();
  return {
    subscribe: (listener) => {
      // Of its own, so that one function subscribed twice is two listeners.
      const own = (event: ReleaseEvent): void => listener(event);
      listeners.add(own);
      if (listeners.size === 1) changed(true);
      return () => {
        if (listeners.delete(own) && listeners.size === 0) changed(false);
      };
    },
    tell: (events) => {
      for (const event of events) for (const listener of [...listeners]) listener(event);
    },
  };
};
