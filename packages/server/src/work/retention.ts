import { type Ports, RESTORABLE_MS, type RemovedCount, removeOldRecords } from '@shipworthy/domain';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long answers to requests with an `Idempotency-Key` are kept, in milliseconds. */
export const REPLIES_KEPT = 7 * DAY;
/** Tries to sign in are counted over an hour at most; a day leaves room for clocks that differ. */
export const SIGN_INS_KEPT = DAY;

/** Hosts send a delivery again for three days at most. */
export const DELIVERIES_KEPT = 7 * DAY;

/** The log of a webhook's deliveries, failed ones too. */
export const WEBHOOK_DELIVERIES_KEPT = 30 * DAY;

/**
 * Forgets what is kept for a time only: remembered answers, ended sessions, old tries to sign in, approvals that were never
 * finished, deliveries that were received, deliveries of webhooks, removed checklist items of closed releases. Answers how many.
 */
export const forgetOld = async ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>): Promise<number> => {
  const now = clock();
  const replies = await stores.idempotency.removeBefore(now - REPLIES_KEPT);
  const sessions = await stores.sessions.removeExpired(now);
  const signIns = await stores.signIns.removeBefore(now - SIGN_INS_KEPT);
  const approvals = await stores.hostConnections.removeExpired(now);
  const deliveries = await stores.repositoryLinks.removeDeliveries(now - DELIVERIES_KEPT);
  const sent = await stores.webhooks.removeDeliveries(now - WEBHOOK_DELIVERIES_KEPT);
  const items = await stores.checklists.purgeRemoved(now - RESTORABLE_MS);
  return items + sent + replies + sessions + signIns + approvals + deliveries;
};

/** What is done beside: records go after so many days (null: never), and what went is told. */
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
  const remove = removeOldRecords(ports);
  const loop = startLoop({
    name: 'retention',
    everyMs,
    run: async () => {
      await forgetOld(ports);
      if (days === null) return false;
      const removed = await remove({ days, stopped: () => stopping });
      note(removed);
      if (removed.deployments + removed.testRuns > 0) log.info('records removed for their age', { days, ...removed });
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
