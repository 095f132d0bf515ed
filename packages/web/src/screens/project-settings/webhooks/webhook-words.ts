import type { RowOf, Webhook } from '@shipworthy/client';

export type EventName = Webhook['types'][number];
export type ShownDelivery = RowOf<'listDeliveries'>;
type Attempt = ShownDelivery['attempts'][number];

/** The events that a webhook can get. */
export const EVENTS: readonly (readonly [EventName, string])[] = [
  ['gate.changed', 'Gate decision changes'],
  ['readiness.changed', 'Score changes'],
  ['release.activated', 'Release activated'],
  ['release.shipped', 'Release shipped'],
  ['release.canceled', 'Release canceled'],
];

/** The state of a delivery, in words. */
export const deliveryText = ({ state, tries }: Pick<ShownDelivery, 'state' | 'tries'>): string => {
  if (state === 'pending') return tries === 0 ? 'Sending' : 'Retrying';
  return state === 'delivered' ? 'Delivered' : 'Failed';
};

const FAILURES: Readonly<Record<NonNullable<Attempt['failure']>, string>> = {
  refused_address: 'the address is internal, and the server does not name it as a target',
  unresolved: 'the host name is not known, or is internal and not named by the server as a target',
  unreachable: 'the receiver cannot be reached',
  secure_connection: 'the secure connection failed',
  timeout: 'the receiver took too long',
  cut: 'the receiver broke off',
  secret_unreadable: 'the signing secret cannot be read: rotate it',
};

/** How a try went: `200 after 12 ms`, or why there was no answer. */
export const attemptText = ({ status, failure, ms }: Attempt): string => {
  if (failure !== null) return FAILURES[failure];
  return status === null ? 'no answer' : `${status} after ${ms} ms`;
};

/** Why nothing is sent to a webhook; null: it is enabled. */
export const disabledText = ({ state, disabled_reason: reason }: Webhook): string | null => {
  if (state === 'enabled') return null;
  if (reason === 'gone' || state === 'gone') return 'The receiver answered that it is gone (410).';
  if (reason === 'failing') return 'Disabled after five days without a delivery.';
  return reason === 'person' ? 'An owner disabled it.' : 'It is disabled.';
};
