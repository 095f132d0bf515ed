import { type Backlog, RESTORABLE_MS } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import {
  createDeliveryLanes,
  type DeliverEvents,
  deliverEvents,
  type ImportFromHost,
  importFromHost,
  type RemovedCount,
  recordHistory,
  removeOldRecords,
} from '@shipworthy/domain/use-cases';
import { addDemo, type DemoPorts } from './demo.js';
import { faultWords, type Log } from './observability/log.js';

/** Work that repeats in the background until it is stopped. */
export interface Loop {
  /** Ends after the run that is under way. */
  stop(): Promise<void>;
}

interface LoopOptions {
  readonly name: string;
  /** Pause between two runs, in milliseconds. */
  readonly everyMs: number;
  /** Does a portion; true: there is more to do, so the next run follows at once. */
  run(): Promise<boolean>;
  readonly log: Log;
}

/** A failing run is noted and tried again this many times later, at most. */
const SLOWEST = 30;

/** Repeats a piece of work, never two at a time; a failure is noted, and repeated failures slow it down. */
export const startLoop = ({ name, everyMs, run, log }: LoopOptions): Loop => {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, milliseconds);
      timer.unref();
    });

  const turn = async (): Promise<boolean> => {
    try {
      const more = await run();
      failures = 0;
      return more;
    } catch (error) {
      failures += 1;
      log.error('background work failed', {
        work: name,
        error: faultWords(error),
      });
      return false;
    }
  };

  const repeat = async (): Promise<void> => {
    while (!stopped) {
      const more = await turn();
      if (!more && !stopped) await pause(everyMs * Math.min(SLOWEST, 1 + failures));
    }
  };
  const ended = repeat();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      wake();
      return ended;
    },
  };
};

/** Asks the stores for work unless none is to be expected; returns undefined when there is none. */
type AskForWork = <Work>(question: () => Promise<Work | undefined>) => Promise<Work | undefined>;

/** What an instance stores makes work for it, so that one that stores nothing need hardly ask its database for any. */
export interface WorkWatch {
  /** Notes that this instance stored something, or may have: every asker asks again. */
  noteStored(): void;
  /** Returns what asks for one kind of work. */
  asker(): AskForWork;
}

/**
 * After a question that found no work, milliseconds until the next one, unless something is stored. Work that other instances left,
 * and work that becomes due, waits that long at most.
 */
const IDLE_MS = 5000;

/** @param now milliseconds; never goes back */
export const createWorkWatch = (idleMs: number = IDLE_MS, now: () => number = () => performance.now()): WorkWatch => {
  let stored = 0;
  return {
    noteStored: () => {
      stored += 1;
    },
    asker: () => {
      /** The last question found nothing: of what was stored until then, and until when that is taken for granted. */
      let nothing: { readonly stored: number; readonly until: number } | null = null;
      return async (question) => {
        const [storedBefore, begunAt] = [stored, now()];
        if (nothing !== null && nothing.stored === storedBefore && begunAt < nothing.until) return undefined;
        nothing = null;
        const work = await question();
        if (work === undefined) nothing = { stored: storedBefore, until: begunAt + idleMs };
        return work;
      };
    },
  };
};

const BACKLOG_EVERY_MS = 15_000;

/** Reads the backlog at intervals, so that a request for metrics waits for no database. */
export const startBacklog = (
  { stores }: Pick<Ports, 'stores'>,
  note: (backlog: Backlog) => void,
  log: Log,
  everyMs: number = BACKLOG_EVERY_MS,
): Loop =>
  startLoop({
    name: 'backlog',
    everyMs,
    run: async () => {
      note(await stores.webhooks.backlog());
      return false;
    },
    log,
  });

const DEMO_EVERY_MS = 500;

/** Adds the demo once, as soon as there is an administrator; a removed demo stays removed. */
export const startDemo = (ports: DemoPorts, log: Log, watch: WorkWatch, everyMs: number = DEMO_EVERY_MS): Loop => {
  const ask = watch.asker();
  let added = false;
  return startLoop({
    name: 'demo',
    everyMs,
    run: async () => {
      if (!added) added = (await ask(async () => (await addDemo(ports)) || undefined)) === true;
      return false;
    },
    log,
  });
};

const PORTION = 100;
const LEASE_MS = 30_000;
const HISTORY_EVERY_MS = 1000;

/**
 * Writes the trend of releases that changed, at most a second after a change through this instance. Safe on many instances: each
 * release is claimed.
 */
export const startHistory = (
  ports: Parameters<typeof recordHistory>[0],
  log: Log,
  watch: WorkWatch,
  everyMs: number = HISTORY_EVERY_MS,
): Loop => {
  const ask = watch.asker();
  return startLoop({
    name: 'history',
    everyMs,
    run: async () => {
      const settled = await ask(
        async () => (await recordHistory(ports, { limit: PORTION, leaseMs: LEASE_MS })) || undefined,
      );
      // Points are stored with their events, which webhooks wait for.
      if (settled !== undefined) watch.noteStored();
      return settled === PORTION;
    },
    log,
  });
};

/** A turn ends within its lease, so that a service that closes need not wait longer than its manager does. */
const IMPORT_TURN: ImportFromHost = { leaseMs: 17_000, pageMs: 10_000 };
const IMPORT_EVERY_MS = 1000;

/** Imports from the repository host what is due. Safe on many instances: each connection is claimed. */
export const startImport = (
  ports: Parameters<typeof importFromHost>[0],
  log: Log,
  watch: WorkWatch,
  everyMs: number = IMPORT_EVERY_MS,
): Loop => {
  const ask = watch.asker();
  return startLoop({
    name: 'import',
    everyMs,
    run: async () => {
      const done = (await ask(async () => (await importFromHost(ports, IMPORT_TURN)) || undefined)) === true;
      if (done) watch.noteStored();
      return done;
    },
    log,
  });
};

/** A message takes 10 seconds at most, so that its answer is stored within the lease. */
const DELIVERY_TURN: Pick<DeliverEvents, 'leaseMs' | 'atOnce'> = { leaseMs: 30_000, atOnce: 4 };
const WEBHOOKS_EVERY_MS = 1000;
/** How many webhooks are served at a time; those with slow receivers have loops of their own. */
const LOOPS = { quick: 4, slow: 2 } as const;

/** Sends events to webhooks; no team holds all loops. Safe on many instances: each webhook is claimed. */
export const startWebhooks = (
  ports: Parameters<typeof deliverEvents>[0],
  log: Log,
  watch: WorkWatch,
  everyMs: number = WEBHOOKS_EVERY_MS,
): readonly Loop[] => {
  const lanes = createDeliveryLanes();
  const startLane = (lane: DeliverEvents['lane']): readonly Loop[] => {
    const ask = watch.asker();
    // Claims follow each other, so where one finds nothing, those behind it need not ask.
    const claim: (typeof lanes)['claim'] = (of, now, take) => lanes.claim(of, now, (choice) => ask(() => take(choice)));
    const run = async (): Promise<boolean> => {
      const sent = await deliverEvents(ports, { ...DELIVERY_TURN, lane, lanes: { ...lanes, claim } });
      // A team may have become a slow one, or one that may be served again.
      if (sent) watch.noteStored();
      return sent;
    };
    return Array.from({ length: LOOPS[lane] }, () => startLoop({ name: 'webhooks', everyMs, run, log }));
  };
  return [...startLane('quick'), ...startLane('slow')];
};

const HOUR = 3_600_000;

/** Readies the stores for the time to come, every hour and once at the start. */
export const startPartitions = (tend: () => Promise<void>, log: Log, everyMs: number = HOUR): Loop =>
  startLoop({
    name: 'tending',
    everyMs,
    run: async () => {
      await tend();
      return false;
    },
    log,
  });

const DAY = 24 * HOUR;
/** How long answers to requests with an `Idempotency-Key` are kept, in milliseconds. */
export const REPLIES_KEPT = 7 * DAY;
/** Tries to sign in are counted over an hour at most; a day leaves room for clocks that differ. */
const SIGN_INS_KEPT = DAY;

/** Hosts send a delivery again for three days at most. */
export const DELIVERIES_KEPT = 7 * DAY;

/** The log of a webhook's deliveries, failed ones too. */
const WEBHOOK_DELIVERIES_KEPT = 30 * DAY;

const GATE_CHANGES_KEPT = 30 * DAY;

/**
 * Forgets what is kept for a time only: remembered answers, ended sessions, old tries to sign in, approvals that were never
 * finished, deliveries that were received, deliveries of webhooks, changes of gates, removed checklist items of closed releases. Answers how many.
 */
export const removeExpiredRecords = async ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>): Promise<number> => {
  const now = clock();
  const replies = await stores.idempotency.removeBefore(now - REPLIES_KEPT);
  const sessions = await stores.sessions.removeExpired(now);
  const signIns = await stores.signIns.removeBefore(now - SIGN_INS_KEPT);
  const approvals = await stores.hostConnections.removeExpired(now);
  const deliveries = await stores.repositoryLinks.removeDeliveries(now - DELIVERIES_KEPT);
  const sent = await stores.webhooks.removeDeliveries(now - WEBHOOK_DELIVERIES_KEPT);
  const gateChanges = await stores.gateChanges.removeBefore(now - GATE_CHANGES_KEPT);
  const items = await stores.checklists.purgeRemoved(now - RESTORABLE_MS);
  return gateChanges + items + sent + replies + sessions + signIns + approvals + deliveries;
};

/** How many days records are kept (null: for ever), and what is called with the number of removed ones. */
export interface RecordRetention {
  readonly days: number | null;
  readonly note: (removed: RemovedCount) => void;
}

/** Forgets every hour, and once at the start; and removes the records that are older than they are kept. */
export const startRetention = (
  ports: Pick<Ports, 'stores' | 'clock' | 'newId'>,
  { days, note }: RecordRetention,
  log: Log,
  everyMs: number = HOUR,
): Loop => {
  let stopping = false;
  const loop = startLoop({
    name: 'retention',
    everyMs,
    run: async () => {
      await removeExpiredRecords(ports);
      if (days === null) return false;
      const removed = await removeOldRecords(ports, { days, stopped: () => stopping });
      note(removed);
      const { deployments, testRuns, axisReports } = removed;
      if (deployments + testRuns + axisReports > 0) log.info('records removed for their age', { days, ...removed });
      return false;
    },
    log,
  });
  return {
    stop: () => {
      stopping = true;
      return loop.stop();
    },
  };
};
