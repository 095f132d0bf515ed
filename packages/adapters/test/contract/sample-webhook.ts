import { type Delivery, newDelivery, type StoresWithFeed, type Webhook } from '@shipworthy/domain';
import { AWKWARD, NOON, sampleId } from './sample-records.js';
import { storedProject } from './sample-world.js';

/** Where a project's events are sent to. */
export const sampleWebhook = (projectId: string, given: Partial<Webhook> = {}): Webhook => ({
  id: sampleId(),
  projectId,
  url: 'https://hooks.example.org/in?key=1',
  types: ['readiness.changed', 'release.shipped'],
  state: 'enabled',
  secret: 'sealed',
  disabled: null,
  failingSince: null,
  formerSecrets: [],
  createdAt: NOON,
  createdBy: AWKWARD,
  version: 1,
  ...given,
});

/** One event on its way, due at noon. */
export const sampleDelivery = (webhookId: string, given: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery({ id: sampleId(), webhookId, type: 'gate.changed', body: AWKWARD, at: NOON }, NOON),
  ...given,
});

/** A stored webhook of a project of its own. */
export const storedWebhook = async (stores: StoresWithFeed, given: Partial<Webhook> = {}): Promise<Webhook> => {
  const { project } = await storedProject(stores);
  const webhook = sampleWebhook(project.id, given);
  await stores.webhooks.create(webhook);
  return webhook;
};
