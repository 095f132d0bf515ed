import { type DeliverEvents, deliverEvents } from '@shipworthy/domain';
import type { Log } from '../observability/log.js';
import { type Loop, startLoop } from './loop.js';

/** A message takes 10 seconds at most, so that its answer is stored within the lease. */
const TURN: DeliverEvents = { leaseMs: 30_000, atOnce: 4 };
const EVERY_MS = 1000;
/** So many webhooks are served at a time: one whose receiver is slow holds up a loop, not the others. */
const LOOPS = 4;

/** Sends events to webhooks. Safe on many instances: each webhook is claimed. */
export const startWebhooks = (
  ports: Parameters<typeof deliverEvents>[0],
  log: Log,
  everyMs: number = EVERY_MS,
): readonly Loop[] => {
  const deliver = deliverEvents(ports);
  return Array.from({ length: LOOPS }, () => startLoop({ name: 'webhooks', everyMs, run: () => deliver(TURN), log }));
};
