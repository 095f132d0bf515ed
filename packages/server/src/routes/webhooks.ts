import type {
  Delivery as WireDelivery,
  Webhook as WireWebhook,
  WebhookWithSecret as WireWebhookWithSecret,
} from '@shipworthy/client/contract';
import type { Delivery, Webhook } from '@shipworthy/domain';
import {
  createWebhook,
  editWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  type WebhookWithSecret,
} from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment, wireMomentOrNull } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { actorOf, pageReply } from './replies.js';

/** A webhook without its secrets. */
const wireWebhook = (webhook: Webhook): WireWebhook => ({
  id: webhook.id,
  url: webhook.url,
  types: webhook.types,
  state: webhook.state,
  disabled_reason: webhook.disabled?.reason ?? null,
  disabled_at: wireMomentOrNull(webhook.disabled?.at ?? null),
  failing_since: wireMomentOrNull(webhook.failingSince),
  former_secret_until: wireMomentOrNull(webhook.formerSecrets[0]?.until ?? null),
  former_secrets_until: webhook.formerSecrets.map(({ until }) => wireMoment(until)),
  created_at: wireMoment(webhook.createdAt),
  created_by: webhook.createdBy,
  version: webhook.version,
});

/** A webhook with the secret that was just made. */
const wireWebhookWithSecret = ({ webhook, secret }: WebhookWithSecret): WireWebhookWithSecret => ({
  ...wireWebhook(webhook),
  secret,
});

/** A delivery without its message. */
const wireDelivery = ({ id, type, at, state, tries, nextAt, attempts }: Delivery): WireDelivery => ({
  id,
  type,
  at: wireMoment(at),
  state,
  tries,
  next_at: wireMomentOrNull(nextAt),
  attempts: attempts.map(({ at, ms, status, failure }) => ({ at: wireMoment(at), ms, status, failure })),
});

const list: RouteHandler<OperationOf<'listWebhooks'>> = async (_, { ports, place }) => {
  const webhooks = await ports.stores.webhooks.ofProject(place.projectId);
  return { status: 200, body: { data: webhooks.map(wireWebhook) } };
};

const create: RouteHandler<OperationOf<'createWebhook'>> = async ({ body }, context) => {
  const { teamId, projectId } = context.place;
  const made = await createWebhook(context.ports, { by: actorOf(context), teamId, projectId, ...body });
  return { status: 201, body: { data: wireWebhookWithSecret(made) } };
};

const read: RouteHandler<OperationOf<'readWebhook'>> = async (_, { place }) => ({
  status: 200,
  body: { data: wireWebhook(place.webhook) },
});

const change: RouteHandler<OperationOf<'changeWebhook'>> = async ({ body: edit, ifMatch: version }, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  const edited = editWebhook(context.ports, { by: actorOf(context), ...path, edit, version });
  return { status: 200, body: { data: wireWebhook(await withCurrent(wireWebhook, edited)) } };
};

const remove: RouteHandler<OperationOf<'removeWebhook'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  await removeWebhook(context.ports, { by: actorOf(context), teamId, projectId, webhookId: webhook.id });
  return { status: 204 };
};

const rotate: RouteHandler<OperationOf<'rotateWebhookSecret'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  const rotated = await rotateWebhookSecret(context.ports, { by: actorOf(context), ...path });
  return { status: 200, body: { data: wireWebhookWithSecret(rotated) } };
};

const test: RouteHandler<OperationOf<'testWebhook'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  return {
    status: 201,
    body: { data: wireDelivery(await testWebhook(context.ports, { by: actorOf(context), ...path })) },
  };
};

const deliveries: RouteHandler<OperationOf<'listDeliveries'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.webhooks.deliveries(place.webhook.id, page);
  return pageReply(rows.map(wireDelivery), sealCursor(next));
};

const DELIVERY_COLUMNS: TableColumns<WireDelivery> = {
  at: ({ at }) => at,
  type: ({ type }) => type,
  state: ({ state }) => state,
  tries: ({ tries }) => tries,
  next_at: ({ next_at }) => next_at,
  last_attempt_at: ({ attempts }) => attempts.at(-1)?.at ?? null,
  last_attempt_ms: ({ attempts }) => attempts.at(-1)?.ms ?? null,
  last_attempt_status: ({ attempts }) => attempts.at(-1)?.status ?? null,
  last_attempt_failure: ({ attempts }) => attempts.at(-1)?.failure ?? null,
  id: ({ id }) => id,
};

const exportDeliveries: RouteHandler<OperationOf<'exportDeliveries'>> = async (_, { ports, place }) => {
  const { slices, stores } = ports;
  return exportList({
    name: 'deliveries',
    columns: DELIVERY_COLUMNS,
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.webhooks.deliveries(place.webhook.id, page);
      return { rows: await slices.map(rows, wireDelivery), next };
    },
  });
};

const replay: RouteHandler<OperationOf<'replayDelivery'>> = async (_, context) => {
  const { teamId, projectId, webhook, delivery } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id, deliveryId: delivery.id };
  return {
    status: 200,
    body: { data: wireDelivery(await replayDelivery(context.ports, { by: actorOf(context), ...path })) },
  };
};

/** The routes of a project's webhooks and their deliveries. */
export const webhookRoutes = {
  listWebhooks: list,
  createWebhook: create,
  readWebhook: read,
  changeWebhook: change,
  removeWebhook: remove,
  rotateWebhookSecret: rotate,
  testWebhook: test,
  listDeliveries: deliveries,
  exportDeliveries,
  replayDelivery: replay,
} as const satisfies Partial<Routes>;
