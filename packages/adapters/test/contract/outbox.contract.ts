import type { StoresWithFeed, Webhook } from '@shipworthy/domain';
import { eventMessage, newDelivery } from '@shipworthy/domain';
import type { WebhookChoice } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Open, Opened } from './open-stores.js';
import { sampleEvent } from './sample-event.js';
import { HOUR, NOON, sampleId } from './sample-records.js';
import { sampleDelivery, sampleWebhook, storedWebhook } from './sample-webhook.js';
import { storedProject } from './sample-world.js';

const rows = async ({ webhooks }: StoresWithFeed, { id }: Webhook) =>
  (await webhooks.deliveries(id, { limit: 100, after: null })).rows;

const ANY = { slowTeams: [], wanted: 'others', busyTeams: [] } as const;

/** EventStore.append as webhooks see it, and the claims of those who send. */
export const outboxContract = (opened: Opened, open: Open): void => {
  describe('the outbox', () => {
    it('holds one delivery for each enabled webhook of the project that wants the event', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const wants = sampleWebhook(project.id, { types: ['gate.changed', 'release.shipped'] });
      const all = [
        wants,
        sampleWebhook(project.id, { types: ['release.canceled'] }),
        sampleWebhook(project.id, { types: ['gate.changed'], state: 'disabled' }),
        sampleWebhook(project.id, { types: ['gate.changed'], state: 'gone' }),
      ];
      for (const webhook of all) await stores.webhooks.create(webhook);
      const other = await storedWebhook(stores, { types: ['gate.changed'] });
      const event = sampleEvent({ type: 'gate.changed', project: { id: project.id, name: project.name } });
      const body = JSON.stringify(eventMessage(event));
      await stores.events.append([event, { ...sampleEvent(event), type: 'readiness.changed' }]);
      const { id, type, at } = event;
      expect(await rows(again, wants)).to.deep.equal([newDelivery({ id, webhookId: wants.id, type, body, at }, at)]);
      for (const webhook of [...all.slice(1), other]) expect(await rows(again, webhook)).to.deep.equal([]);
    });

    it('holds nothing of an undone transaction', async () => {
      const { stores, again } = opened();
      const webhook = await storedWebhook(stores);
      const failure = new Error('undone');
      const work = stores.transaction(async (inside) => {
        await inside.events.append([sampleEvent({ project: { id: webhook.projectId, name: 'Shop' } })]);
        throw failure;
      });
      expect(await work.catch((error: unknown) => error)).to.equal(failure);
      expect(await rows(again, webhook)).to.deep.equal([]);
    });
  });

  describe('claims of webhooks', () => {
    const fresh = async () => {
      const { stores, again, close } = await open();
      const { project, team } = await storedProject(stores);
      const webhook = sampleWebhook(project.id);
      await stores.webhooks.create(webhook);
      return { stores, again, close, webhook, teamId: team.id };
    };

    it('are made by one of many at once, and again when the lease runs out', async () => {
      const { stores, again, close, webhook, teamId } = await fresh();
      await stores.webhooks.put(sampleDelivery(webhook.id));
      expect(await stores.webhooks.claimWork(NOON - 1, HOUR, 'early', ANY)).to.equal(undefined);
      const claim = (place: number) =>
        (place % 2 === 0 ? stores : again).webhooks.claimWork(NOON, HOUR, `w${place}`, ANY);
      const claimed = await Promise.all(Array.from({ length: 8 }, (_, place) => claim(place)));
      expect(claimed.filter((each) => each !== undefined)).to.deep.equal([{ webhook, teamId }]);
      expect(await again.webhooks.claimWork(NOON + HOUR - 1, HOUR, 'late', ANY)).to.equal(undefined);
      expect(await again.webhooks.claimWork(NOON + HOUR, HOUR, 'later', ANY)).to.deep.equal({ webhook, teamId });
      await close();
    });

    it('take turns among webhooks, and leave disabled ones and those without work', async () => {
      const { stores, close, webhook } = await fresh();
      const second = await storedWebhook(stores, { createdAt: NOON + 1 });
      const off = await storedWebhook(stores, { state: 'disabled' });
      await storedWebhook(stores);
      for (const { id } of [webhook, second, off]) await stores.webhooks.put(sampleDelivery(id));
      const served: (string | undefined)[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const claimed = await stores.webhooks.claimWork(NOON + 10 + turn, HOUR, `turn ${turn}`, ANY);
        served.push(claimed?.webhook.id);
        if (claimed !== undefined) await stores.webhooks.endWork(claimed.webhook.id, `turn ${turn}`);
      }
      expect(served).to.deep.equal([webhook.id, second.id, webhook.id, second.id]);
      await close();
    });

    it('pass over webhooks of busy teams, and take either those of slow teams or the others', async () => {
      const { stores, again, close, webhook: first, teamId } = await fresh();
      const beside = sampleWebhook(first.projectId, { createdAt: NOON + 3 });
      await stores.webhooks.create(beside);
      const second = await storedWebhook(stores, { createdAt: NOON + 1 });
      const third = await storedWebhook(stores, { createdAt: NOON + 2 });
      for (const { id } of [first, second, third, beside]) await stores.webhooks.put(sampleDelivery(id));
      const teamOf = async ({ projectId }: Webhook) => (await stores.projects.byId(projectId))?.teamId ?? '';
      const claimed = async (choice: WebhookChoice) => {
        const found = await again.webhooks.claimWork(NOON + 10, HOUR, 'mine', choice);
        if (found !== undefined) await again.webhooks.endWork(found.webhook.id, 'mine');
        return found?.webhook.id;
      };
      const slowTeams = [teamId, await teamOf(third)];
      expect(await claimed({ ...ANY, slowTeams })).to.equal(second.id);
      expect(await claimed({ ...ANY, slowTeams, wanted: 'slow' })).to.equal(first.id);
      expect(await claimed({ slowTeams, wanted: 'slow', busyTeams: [teamId] })).to.equal(third.id);
      expect(await claimed({ ...ANY, slowTeams: [teamId], wanted: 'slow' })).to.equal(beside.id);
      expect(await claimed({ ...ANY, wanted: 'slow' })).to.equal(undefined);
      const others = [await teamOf(second), await teamOf(third)];
      expect(await claimed({ ...ANY, slowTeams: others, busyTeams: [sampleId(), teamId] })).to.equal(undefined);
      await close();
    });

    it('see what is due, longest waiting first, and store tries as long as they hold', async () => {
      const { stores, again, close, webhook, teamId } = await fresh();
      const due = [NOON, NOON - 2, NOON - 1, NOON + 1].map((nextAt) => sampleDelivery(webhook.id, { nextAt }));
      const done = sampleDelivery(webhook.id, { nextAt: null, state: 'delivered' });
      for (const each of [...due, done]) await stores.webhooks.put(each);
      const [last, first, second] = due;
      await stores.webhooks.claimWork(NOON, HOUR, 'mine', ANY);
      expect(await again.webhooks.due(webhook.id, NOON, 2)).to.deep.equal([first, second]);
      expect(await again.webhooks.due(webhook.id, NOON, 9)).to.deep.equal([first, second, last]);
      const before = { ...sampleDelivery(webhook.id), ...first };
      const tried = { ...before, tries: 1, nextAt: null, state: 'delivered' } as const;
      expect(await stores.webhooks.saveTry('theirs', before, tried)).to.equal(false);
      expect(await stores.webhooks.saveTry('mine', before, tried)).to.equal(true);
      expect(await again.webhooks.delivery(webhook.id, tried.id)).to.deep.equal(tried);
      await stores.webhooks.endWork(webhook.id, 'theirs');
      expect(await again.webhooks.claimWork(NOON, HOUR, 'theirs', ANY)).to.equal(undefined);
      await stores.webhooks.endWork(webhook.id, 'mine');
      expect(await stores.webhooks.saveTry('mine', tried, { ...tried, tries: 2 })).to.equal(false);
      expect(await again.webhooks.claimWork(NOON, HOUR, 'theirs', ANY)).to.deep.equal({ webhook, teamId });
      await close();
    });

    for (const tries of [0, 3])
      it(`leave a delivery alone that was begun again during a try, after ${tries} tries`, async () => {
        const { stores, again, close, webhook } = await fresh();
        const waiting = sampleDelivery(webhook.id, { tries });
        await stores.webhooks.put(waiting);
        await stores.webhooks.claimWork(NOON, HOUR, 'mine', ANY);
        // Within the millisecond in which it was due: nothing else is different after the first try.
        const restarted = { ...waiting, tries: 0, nextAt: NOON + 1 };
        await again.webhooks.put(restarted);
        const tried = { ...waiting, tries: tries + 1, nextAt: NOON + 5 * HOUR };
        expect(await stores.webhooks.saveTry('mine', waiting, tried)).to.equal(false);
        expect(await again.webhooks.delivery(webhook.id, waiting.id)).to.deep.equal(restarted);
        const after = { ...restarted, tries: 1, nextAt: NOON + 6 };
        expect(await stores.webhooks.saveTry('mine', restarted, after)).to.equal(true);
        await close();
      });
  });
};
