import type { Backlog, Clock, DeliveryLog, HookAnswer } from '@shipworthy/domain';
import type { Metrics } from './metrics.js';

/** What came of a try, in few words: `delivered`, the class of a status that does not deliver, or why there was none. */
const outcomeOf = ({ status, failure }: HookAnswer): string => {
  if (status === null) return failure ?? 'cut';
  return status >= 200 && status <= 299 ? 'delivered' : `status_${Math.floor(status / 100)}xx`;
};

/** Counts what this instance sends to webhooks, and what becomes of it. */
export const measuredDeliveries = (metrics: Metrics): DeliveryLog => {
  const tried = metrics.labelled('webhook_attempts_total', 'Tries to deliver an event to a webhook, by outcome.', [
    'outcome',
  ]);
  const delivered = metrics.counter('webhook_delivered_total', 'Deliveries that reached their webhook.');
  const givenUp = metrics.counter(
    'webhook_given_up_total',
    'Deliveries that were given up after all tries, or by a 410.',
  );
  const disabled = metrics.labelled('webhooks_disabled_total', 'Webhooks that were disabled by nobody, by reason.', [
    'reason',
  ]);
  return {
    tried: (answer) => tried(outcomeOf(answer)),
    ended: (state) => (state === 'delivered' ? delivered() : givenUp()),
    disabled: (reason) => disabled(reason),
  };
};

/** Takes note of what waits to be sent, in all instances together; the metrics tell the last note and how old it is. */
export const measuredBacklog = (metrics: Metrics, clock: Clock): ((backlog: Backlog) => void) => {
  let last: (Backlog & { readonly at: number }) | null = null;
  const seconds = (milliseconds: number): number => Math.max(0, milliseconds) / 1000;
  metrics.add({
    name: 'webhook_deliveries_pending',
    help: 'Deliveries of enabled webhooks that are neither delivered nor given up, in all instances together.',
    type: 'gauge',
    read: () => last?.pending ?? null,
  });
  metrics.add({
    name: 'webhook_oldest_pending_age_seconds',
    help: 'Age of the oldest event among them; 0 while there is none.',
    type: 'gauge',
    read: () => last && (last.oldestAt === null ? 0 : seconds(last.at - last.oldestAt)),
  });
  metrics.add({
    name: 'webhook_backlog_reading_age_seconds',
    help: 'How long ago these two were read; they are left out until they were.',
    type: 'gauge',
    read: () => last && seconds(clock() - last.at),
  });
  return (backlog) => {
    last = { ...backlog, at: clock() };
  };
};
