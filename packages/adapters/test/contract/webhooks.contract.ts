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
      const disabled = { reason: 'gone', at: NOON + 3 } as const;
      const late = sampleWebhook(project.id, { createdAt: NOON + 1, state: 'gone', disabled, failingSince: NOON });
      const formerSecrets = [
        { sealed: AWKWARD, until: NOON + 2 },
        { sealed: 'before', until: NOON + 1 },
        { sealed: 'first', until: NOON },
      ];
      const first = sampleWebhook(project.id, { formerSecrets, types: ['gate.changed'], url: 'http://a.example/' });
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

    it('forget former secrets and why they were disabled', async () => {
      const { stores, again } = opened();
      const formerSecrets = [
        { sealed: 'a', until: NOON + 2 },
        { sealed: 'b', until: NOON + 1 },
      ];
      const webhook = await storedWebhook(stores, {
        formerSecrets,
        state: 'disabled',
        disabled: { reason: 'person', at: NOON },
      });
      const next = { ...webhook, state: 'enabled', disabled: null, formerSecrets: [], version: 2 } as const;
      expect(await stores.webhooks.replace(next)).to.equal(true);
      expect(await again.webhooks.byId(webhook.id)).to.deep.equal(next);
    });

    it('fail since the first of their failures, and a new version does not change that', async () => {
      const { stores, again } = opened();
      const [webhook, other] = [await storedWebhook(stores), await storedWebhook(stores)];
      const since = async () => (await again.webhooks.byId(webhook.id))?.failingSince;
      await stores.webhooks.setFailing(webhook.id, null);
      expect(await since()).to.equal(null);
      for (const at of [NOON + 5, NOON + 6]) await stores.webhooks.setFailing(webhook.id, at);
      expect(await since()).to.equal(NOON + 5);
      expect(await stores.webhooks.replace({ ...webhook, failingSince: null, version: 2 })).to.equal(true);
      expect(await since()).to.equal(NOON + 5);
      expect((await again.webhooks.byId(other.id))?.failingSince).to.equal(null);
      await stores.webhooks.setFailing(webhook.id, null);
      await stores.webhooks.setFailing(sampleId(), NOON);
      expect(await since()).to.equal(null);
      expect((await again.webhooks.byId(webhook.id))?.version).to.equal(2);
    });

    it('tell how much waits to be sent, and since when', async () => {
      const { stores, again } = opened();
      const before = await again.webhooks.backlog();
      const [webhook, quiet] = [await storedWebhook(stores), await storedWebhook(stores, { state: 'disabled' })];
      for (const [id, at, ended] of [
        [webhook.id, -20, false],
        [webhook.id, -30, false],
        [webhook.id, -40, true],
        [quiet.id, -50, false],
      ] as const) {
        const delivery = sampleDelivery(id, { at });
        await stores.webhooks.put(ended ? { ...delivery, state: 'delivered', nextAt: null } : delivery);
      }
      expect(await again.webhooks.backlog()).to.deep.equal({ pending: before.pending + 2, oldestAt: -30 });
      await stores.webhooks.removeDeliveries(-5);
      expect(await again.webhooks.backlog()).to.deep.equal(before);
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
