import {
  createWebhook,
  editWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
} from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireDelivery, wireWebhook, wireWebhookWithSecret } from '../wire/webhook.js';
import { actorOf } from './actor.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listWebhooks'>> = async (_, { ports, place }) => {
  const webhooks = await ports.stores.webhooks.ofProject(place.projectId);
  return { status: 200, body: { data: webhooks.map(wireWebhook) } };
};

const create: Route<OperationOf<'createWebhook'>> = async ({ body }, context) => {
  const { teamId, projectId } = context.place;
  const made = await createWebhook(context.ports)({ by: actorOf(context), teamId, projectId, ...body });
  return { status: 201, body: { data: wireWebhookWithSecret(made) } };
};

const read: Route<OperationOf<'readWebhook'>> = async (_, { place }) => ({
  status: 200,
  body: { data: wireWebhook(place.webhook) },
});

const change: Route<OperationOf<'changeWebhook'>> = async ({ body: edit, ifMatch: version }, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  const edited = editWebhook(context.ports)({ by: actorOf(context), ...path, edit, version });
  return { status: 200, body: { data: wireWebhook(await withCurrent(wireWebhook, edited)) } };
};

const remove: Route<OperationOf<'removeWebhook'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  await removeWebhook(context.ports)({ by: actorOf(context), teamId, projectId, webhookId: webhook.id });
  return { status: 204 };
};

const rotate: Route<OperationOf<'rotateWebhookSecret'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  const rotated = await rotateWebhookSecret(context.ports)({ by: actorOf(context), ...path });
  return { status: 200, body: { data: wireWebhookWithSecret(rotated) } };
};

const test: Route<OperationOf<'testWebhook'>> = async (_, context) => {
  const { teamId, projectId, webhook } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id };
  return {
    status: 201,
    body: { data: wireDelivery(await testWebhook(context.ports)({ by: actorOf(context), ...path })) },
  };
};

const deliveries: Route<OperationOf<'listDeliveries'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.webhooks.deliveries(place.webhook.id, page);
  return pageReply(rows.map(wireDelivery), sealCursor(next));
};

const replay: Route<OperationOf<'replayDelivery'>> = async (_, context) => {
  const { teamId, projectId, webhook, delivery } = context.place;
  const path = { teamId, projectId, webhookId: webhook.id, deliveryId: delivery.id };
  return {
    status: 200,
    body: { data: wireDelivery(await replayDelivery(context.ports)({ by: actorOf(context), ...path })) },
  };
};

/** Where a project's events are sent to, and how that went. */
export const webhookRoutes = {
  listWebhooks: list,
  createWebhook: create,
  readWebhook: read,
  changeWebhook: change,
  removeWebhook: remove,
  rotateWebhookSecret: rotate,
  testWebhook: test,
  listDeliveries: deliveries,
  replayDelivery: replay,
} as const satisfies Partial<Routes>;
