import { createDeliveryLanes, createWebhook, type DeliverEvents, deliverEvents } from '../../src/use-cases/webhook.js';
import type { Webhook, WebhookAnswer, WebhookMessage } from '../../src/webhook.js';
import { type ReleaseScene, releaseScene } from './scene.js';

/** A release whose project has a webhook for everything, and a receiver that answers as told. */
export interface WebhookScene extends ReleaseScene {
  readonly webhook: Webhook;
  readonly secret: string;
  /** What was sent, oldest first. */
  readonly sent: WebhookMessage[];
  /** What the log of deliveries heard: how those ended that did, and why the webhook was disabled. */
  readonly ended: string[];
  readonly disabled: string[];
  /** The next status; null: no answer. */
  reply: (message: WebhookMessage) => Promise<Partial<WebhookAnswer>>;
  /** One turn of a worker, of those for receivers that are quick unless told. */
  turn(lane?: DeliverEvents['lane']): Promise<boolean>;
}

export const webhookScene = async (): Promise<WebhookScene> => {
  const here = await releaseScene();
  const sent: WebhookMessage[] = [];
  const ended: string[] = [];
  const disabled: string[] = [];
  const deliveryLog = {
    ...here.deliveryLog,
    ended: (state: string) => void ended.push(state),
    disabled: (reason: string) => void disabled.push(reason),
  };
  const hookSender = {
    ...here.hookSender,
    jitter: (ms: number) => ms,
    send: async (message: WebhookMessage): Promise<WebhookAnswer> => {
      sent.push(message);
      return { ms: 0, status: null, failure: null, retryAfterMs: null, ...(await scene.reply(message)) };
    },
  };
  const types = ['readiness.changed', 'gate.changed', 'release.shipped', 'release.canceled'] as const;
  const url = 'https://hooks.acme.dev/in?key=canary';
  const made = await createWebhook(here, { by: here.owner, ...here.there, url, types });
  const lanes = createDeliveryLanes();
  const scene: WebhookScene = {
    ...here,
    ...made,
    hookSender,
    sent,
    ended,
    disabled,
    reply: async () => ({ status: 204 }),
    turn: (lane = 'quick') =>
      deliverEvents({ ...here, hookSender, deliveryLog }, { leaseMs: 30_000, atOnce: 4, lane, lanes }),
  };
  return scene;
};

/** The log of the scene's webhook, newest first. */
export const deliveriesOf = async ({ stores, webhook }: WebhookScene) =>
  (await stores.webhooks.deliveries(webhook.id, { limit: 100, after: null })).rows;
