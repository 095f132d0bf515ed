import { setTimeout as wait } from 'node:timers/promises';
import type { ReleaseEvent } from '@shipworthy/domain';
import type { EventFeed } from '@shipworthy/domain/ports';
import { type LocalFeed, localFeed } from '../../event-feed/local-feed.js';
import type { PatientClient } from './driver.js';

/** The channel on which instances tell each other of events; a message holds less than 8,000 bytes. */
export const EVENT_CHANNEL = 'shipworthy_events';

/** Pauses before a broken connection is made anew, in milliseconds; the last one again and again. */
const PAUSES = [50, 200, 1000, 2000];
/** How often the connection is tried, in milliseconds: a connection that was cut without notice shows no error by itself. */
const PULSE = 5000;

/** The feed of a PostgreSQL database. */
interface PostgresFeed {
  readonly feed: EventFeed;
  close(): Promise<void>;
}

/** Settles when the connection is broken, or `ended` says so. */
const listened = async (client: PatientClient, { tell, miss }: LocalFeed, ended: AbortSignal): Promise<void> => {
  let pulse: NodeJS.Timeout | undefined;
  let leave = (): void => {};
  const broken = new Promise<void>((resolve) => {
    leave = resolve;
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    ended.addEventListener('abort', leave, { once: true });
    pulse = setInterval(() => void client.ask('select 1').catch(() => resolve()), PULSE);
    pulse.unref();
  });
  client.on('notification', ({ payload = '' }) => tell([JSON.parse(payload) as ReleaseEvent]));
  try {
    await client.reach();
    await client.ask(`listen ${EVENT_CHANNEL}`);
    miss();
    await broken;
  } finally {
    clearInterval(pulse);
    ended.removeEventListener('abort', leave);
    // A broken connection may fail to end; that is ignored.
    void client.end().catch(() => {});
  }
};

/**
 * One connection per process that listens while there are listeners, and is made anew when it breaks; events told in between
 * are missed. `connect` makes the client; `pauses`: how long to wait before the next try, in milliseconds, the last one again
 * and again.
 */
export const postgresFeed = (connect: () => PatientClient, pauses: readonly number[] = PAUSES): PostgresFeed => {
  let ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    wait(ms, undefined, { signal, ref: false }).catch(() => {});
  const listen = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      const client = connect();
      const began = performance.now();
      await listened(client, local, signal).catch(() => {});
      failures = performance.now() - began > PULSE ? 0 : failures + 1;
      if (!signal.aborted) await pause(pauses[Math.min(failures, pauses.length - 1)] ?? 0, signal);
    }
  };
  const local = localFeed((listening) => {
    if (!listening) return ended.abort();
    ended = new AbortController();
    running = listen(ended.signal);
  });
  return {
    feed: local,
    close: () => {
      ended.abort();
      return running;
    },
  };
};
