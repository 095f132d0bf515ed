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

/** The longest pause after failures of work that is due often, as a multiple of `everyMs`. */
const SLOWEST = 30;
/** Pause from which work counts as due rarely, in milliseconds. */
const RARELY_MS = 60_000;
/** Pause after the first failure of work that is due rarely, in milliseconds. */
const FIRST_RETRY_MS = 5000;

/**
 * Returns the pause before the next run, in milliseconds, after this many failures in a row. Work that is due often slows down.
 * Work that is due rarely is repeated soon, then after pauses that double up to `everyMs`: a database that was away for a
 * moment must not keep it from being done for hours.
 */
export const pauseAfter = (failures: number, everyMs: number): number => {
  if (failures === 0) return everyMs;
  if (everyMs < RARELY_MS) return everyMs * Math.min(SLOWEST, 1 + failures);
  return Math.min(everyMs, FIRST_RETRY_MS * 2 ** (failures - 1));
};

/** Repeats a piece of work, one run at a time. Failures are logged, and `pauseAfter` says when the work is tried again. */
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
      if (!more && !stopped) await pause(pauseAfter(failures, everyMs));
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

/** Asks the stores for work, or skips the question when no work is expected. Returns undefined when there is none. */
type AskForWork = <Work>(question: () => Promise<Work | undefined>) => Promise<Work | undefined>;

/** Lets idle loops ask the database rarely: most work arises when this instance stores something. */
export interface WorkWatch {
  /** Notes that this instance stored something, or may have: every asker then asks again. */
  noteStored(): void;
  /** Creates a function that asks for one kind of work. */
  asker(): AskForWork;
}

/**
 * Pause after a question that found no work, in milliseconds; it ends early when this instance stores something. Work
 * of other instances, and work that becomes due, waits this long at most.
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
      /** Set while the last question found no work: the value of `stored` then, and until when no question is asked. */
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

/** Adds the demo once there is an administrator. A removed demo is not added again before the next start. */
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
      // Points are stored together with their events, which the webhook loops must now look for.
      if (settled !== undefined) watch.noteStored();
      return settled === PORTION;
    },
    log,
  });
};

/**
 * An import run ends within its lease, or some seconds later when a grant is renewed at its end. The lease is short because closing
 * the server waits for the run, and must not take longer than service managers wait.
 */
const IMPORT_TURN: ImportFromHost = { leaseMs: 14_000, pageMs: 10_000 };
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

/** Sends events to webhooks; no team can occupy all loops. Safe on many instances: each webhook is claimed. */
export const startWebhooks = (
  ports: Parameters<typeof deliverEvents>[0],
  log: Log,
  watch: WorkWatch,
  everyMs: number = WEBHOOKS_EVERY_MS,
): readonly Loop[] => {
  const lanes = createDeliveryLanes();
  const startLane = (lane: DeliverEvents['lane']): readonly Loop[] => {
    const ask = watch.asker();
    // Claims run one after another. When one finds no work, the claims queued behind it skip their question.
    const claim: (typeof lanes)['claim'] = (of, now, take) => lanes.claim(of, now, (choice) => ask(() => take(choice)));
    const run = async (): Promise<boolean> => {
      const sent = await deliverEvents(ports, { ...DELIVERY_TURN, lane, lanes: { ...lanes, claim } });
      // The delivery may have made its team a slow one, or freed its place, so that other loops have work.
      if (sent) watch.noteStored();
      return sent;
    };
    return Array.from({ length: LOOPS[lane] }, () => startLoop({ name: 'webhooks', everyMs, run, log }));
  };
  return [...startLane('quick'), ...startLane('slow')];
};

const HOUR = 3_600_000;

/** Runs `tend`, which prepares the stores for coming records, once at the start and then every hour. */
export const startStoreTending = (tend: () => Promise<void>, log: Log, everyMs: number = HOUR): Loop =>
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

/** Repository hosts repeat a delivery for three days at most. */
export const DELIVERIES_KEPT = 7 * DAY;

/** How long the log of a webhook's deliveries is kept, failed ones included. */
const WEBHOOK_DELIVERIES_KEPT = 30 * DAY;

const GATE_CHANGES_KEPT = 30 * DAY;

/**
 * Removes what is kept for a limited time: remembered answers, ended sessions, old tries to sign in, unfinished
 * approvals, received deliveries, deliveries of webhooks, gate changes, removed checklist items of closed releases.
 * Returns how many.
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

/** How many days records are kept (null: for ever), and a function called with the number of removed records. */
export interface RecordRetention {
  readonly days: number | null;
  readonly note: (removed: RemovedCount) => void;
}

/** Removes expired data, and records older than `days`, once at the start and then every hour. */
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
