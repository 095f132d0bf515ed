import { setTimeout as wait } from 'node:timers/promises';
import type { ReleaseEvent } from '@shipworthy/domain';
import type { EventFeed } from '@shipworthy/domain/ports';
import { type LocalFeed, localFeed } from '../../event-feed/local-feed.js';
import { asJson } from '../dialect.js';
import type { Access } from '../sql.js';
import type { PatientClient, Reached } from './reach.js';

/** The channel on which instances tell each other of events; a message holds less than 8,000 bytes. */
export const EVENT_CHANNEL = 'shipworthy_events';

/** Pauses before a broken connection is made anew, in milliseconds; the last one repeats. */
const PAUSES = [50, 200, 1000, 2000];
/** How often the connection is tested, in milliseconds: one that was cut without notice shows no error by itself. */
const PULSE = 5000;
/** How often events are looked for where a connection cannot listen, in milliseconds. */
const LOOK_EVERY = 1000;

/** The feed of a PostgreSQL database. */
interface PostgresFeed {
  readonly feed: EventFeed;
  close(): Promise<void>;
}

/** Listens for events; settles when the connection breaks, or `ended` is aborted. */
const listen = async (client: PatientClient, { tell, miss }: LocalFeed, ended: AbortSignal): Promise<void> => {
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
    await client.ask(`listen ${EVENT_CHANNEL}`);
    miss();
    await broken;
  } finally {
    clearInterval(pulse);
    ended.removeEventListener('abort', leave);
  }
};

const pause = (ms: number, ended: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal: ended, ref: false }).catch(() => {});

/** Polls for events until `ended` is aborted, or a look fails. */
const poll = async (look: Look, { tell, miss }: LocalFeed, ended: AbortSignal): Promise<void> => {
  // Skips the events from before: they are no news to those who listen from now on.
  await look();
  miss();
  while (!ended.aborted) {
    await pause(LOOK_EVERY, ended);
    if (!ended.aborted) tell(await look());
  }
};

/** Answers the events that were told since the last look; fails when some may have been missed. */
type Look = () => Promise<readonly ReleaseEvent[]>;

/** How the feed of a PostgreSQL database gets its events. */
interface FeedOptions {
  connect(): Promise<Reached>;
  /** Begins to look for events, for a connection through a pooler, which cannot listen. */
  startLooking(): Look;
  /** Pauses before a retry, in milliseconds, by the number of failures in a row; the last one repeats. */
  readonly pauses?: readonly number[];
}

/**
 * One connection per process that listens while there are listeners, and is made anew when it breaks; events told in between
 * are missed.
 */
export const postgresFeed = ({ connect, startLooking, pauses = PAUSES }: FeedOptions): PostgresFeed => {
  let ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const listenOnce = async (signal: AbortSignal): Promise<void> => {
    const { client, isPooled } = await connect();
    try {
      // The last listener may have left while the connection was made: nothing would end it then.
      if (!isPooled && !signal.aborted) await listen(client, local, signal);
    } finally {
      // A broken connection may fail to end; that is ignored.
      void client.end().catch(() => {});
    }
    if (isPooled) await poll(startLooking(), local, signal);
  };
  const keepListening = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      const began = performance.now();
      await listenOnce(signal).catch(() => {});
      failures = performance.now() - began > PULSE ? 0 : failures + 1;
      if (!signal.aborted) await pause(pauses[Math.min(failures, pauses.length - 1)] ?? 0, signal);
    }
  };
  const local = localFeed((listening) => {
    if (!listening) return ended.abort();
    ended = new AbortController();
    running = keepListening(ended.signal);
  });
  return {
    feed: local,
    close: () => {
      ended.abort();
      return running;
    },
  };
};

// Events are kept for instances that reach PostgreSQL through a pooler, where a connection cannot listen. The moments that bound a
// look are the server's, since clocks of instances may differ; the builder has no moments of the server.

/** How long after it was told an event is looked for, in seconds: longer than any transaction goes on after that. */
const WINDOW_S = 60;

/** After how many looks old events are removed. */
const LOOKS_PER_REMOVAL = 60;

const NEW = `select id, event from told_events where told_at > now() - interval '${WINDOW_S} seconds'
  and not id = any(?) order by told_at, id`;
const REMOVE_OLD = `delete from told_events where told_at < now() - interval '${2 * WINDOW_S} seconds'`;

/** Stores events in the transaction of the change that they tell; other instances see them once it is committed. */
export const keepEvents = async (write: Access['write'], events: readonly ReleaseEvent[]): Promise<void> => {
  for (const event of events)
    await write('insert into told_events (id, event, told_at) values (?, ?, clock_timestamp())', [
      event.id,
      asJson(event),
    ]);
};

/**
 * Looks for events that were not seen before. Numbered rows would not tell which are new: a transaction that began
 * earlier may be committed later.
 * @returns a function whose every call answers the new ones, in the order in which they were told; those of the last
 * minute at the first call. A call more than half a minute after the last one throws, and the next one begins again.
 */
export const eventLook = (access: Access): (() => Promise<readonly ReleaseEvent[]>) => {
  const seen = new Map<string, number>();
  let lookedAt: number | null = null;
  let looks = 0;
  return async () => {
    const now = performance.now();
    const isLate = lookedAt !== null && now - lookedAt > (WINDOW_S / 2) * 1000;
    lookedAt = isLate ? null : now;
    if (isLate) throw new Error('Events may have been missed.');
    for (const [id, at] of seen) if (now - at > 2 * WINDOW_S * 1000) seen.delete(id);
    const known = access.dialect.list([...seen.keys()]);
    const rows = await access.read<{ readonly id: string; readonly event: string }>(NEW, [known]);
    for (const { id } of rows) seen.set(id, now);
    looks += 1;
    if (looks % LOOKS_PER_REMOVAL === 0) await access.write(REMOVE_OLD);
    return rows.map(({ event }) => JSON.parse(event) as ReleaseEvent);
  };
};
