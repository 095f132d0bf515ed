import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, NOON, sampleId } from './sample-records.js';
import { sampleDelivery, sampleWebhook, storedWebhook } from './sample-webhook.js';
import { storedProject } from './sample-world.js';

/** WebhookStore: webhooks and the log of their deliveries. */
export const webhooksContract = (opened: Opened): void => {
  describe('webhooks', () => {
    it('are kept whole and listed oldest first', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const late = sampleWebhook(project.id, { createdAt: NOON + 1, state: 'gone' });
      const formerSecret = { sealed: AWKWARD, until: NOON + 2 };
      const first = sampleWebhook(project.id, { formerSecret, types: ['gate.changed'], url: 'http://a.example/' });
      for (const webhook of [late, first]) await stores.webhooks.create(webhook);
      await storedWebhook(stores);
      expect(await again.webhooks.ofProject(project.id)).to.deep.equal([first, late]);
      expect(await again.webhooks.byId(first.id)).to.deep.equal(first);
      expect(await again.webhooks.byId(sampleId())).to.equal(undefined);
    });

    it('are replaced from one version to the next only', async () => {
      const { stores, again } = opened();
      const webhook = await storedWebhook(stores);
      const next = { ...webhook, url: 'https://b.example/', state: 'disabled', version: 2 } as const;
      expect(await stores.webhooks.replace({ ...next, version: 3 })).to.equal(false);
      expect(await stores.webhooks.replace(next)).to.equal(true);
      expect(await stores.webhooks.replace(next)).to.equal(false);
      expect(await again.webhooks.byId(webhook.id)).to.deep.equal(next);
    });

    it('are removed with their deliveries', async () => {
      const { stores, again } = opened();
      const webhook = await storedWebhook(stores);
      const delivery = sampleDelivery(webhook.id);
      await stores.webhooks.put(delivery);
      expect(await stores.webhooks.remove({ ...webhook, version: 2 })).to.equal(false);
      expect(await stores.webhooks.remove(webhook)).to.equal(true);
      expect(await stores.webhooks.remove(webhook)).to.equal(false);
      expect(await again.webhooks.byId(webhook.id)).to.equal(undefined);
      expect(await again.webhooks.delivery(webhook.id, delivery.id)).to.equal(undefined);
    });

    it('keep deliveries as they are now, of each webhook its own', async () => {
      const { stores, again } = opened();
      const [webhook, other] = [await storedWebhook(stores), await storedWebhook(stores)];
      const delivery = sampleDelivery(webhook.id);
      const twin = { ...delivery, webhookId: other.id };
      for (const each of [delivery, twin]) await stores.webhooks.put(each);
      const attempts = [
        { at: NOON, ms: 12, status: 500, failure: null },
        { at: NOON + 5, ms: 10_000, status: null, failure: 'timeout' },
      ] as const;
      const failed = { ...delivery, state: 'failed', tries: 2, nextAt: null, attempts } as const;
      await stores.webhooks.put(failed);
      expect(await again.webhooks.delivery(webhook.id, delivery.id)).to.deep.equal(failed);
      expect(await again.webhooks.delivery(other.id, delivery.id)).to.deep.equal(twin);
    });

    it('list deliveries newest first, page by page', async () => {
      const { stores, again } = opened();
      const webhook = await storedWebhook(stores);
      const ids = Array.from({ length: 5 }, sampleId).toSorted();
      for (const id of ids) await stores.webhooks.put(sampleDelivery(webhook.id, { id }));
      const found = await walk((page) => again.webhooks.deliveries(webhook.id, page), 2);
      expect(found.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    });

    it('forget deliveries of old events', async () => {
      const { stores, again } = opened();
      const webhook = await storedWebhook(stores);
      const [old, young] = [sampleDelivery(webhook.id, { at: 1 }), sampleDelivery(webhook.id, { at: 2 })];
      for (const each of [old, young]) await stores.webhooks.put(each);
      expect(await stores.webhooks.removeDeliveries(2)).to.equal(1);
      expect(await again.webhooks.delivery(webhook.id, old.id)).to.equal(undefined);
      expect(await again.webhooks.delivery(webhook.id, young.id)).to.deep.equal(young);
    });
  });
};
