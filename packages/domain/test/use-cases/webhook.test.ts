import { expect } from 'chai';
import { recordHistory } from '../../src/use-cases/history.js';
import { shipRelease } from '../../src/use-cases/release.js';
import {
  createDeliveryLanes,
  createWebhook,
  deliverEvents,
  editWebhook,
  testWebhook,
} from '../../src/use-cases/webhook.js';
import { DISABLE_AFTER_FAILING_MS } from '../../src/webhook.js';
import { deliveriesOf, type WebhookScene, webhookScene } from './webhook-scene.js';
import { actions, DAY, HOUR } from './world.js';

const ship = (here: WebhookScene) => shipRelease(here, { by: here.member, ...here.at, note: null });

/** Turns until nothing is due. */
const untilIdle = async (here: WebhookScene): Promise<void> => {
  while (await here.turn());
};

describe('Delivering events', () => {
  it('sends each event after its commit to the webhooks that want it, signed with their secrets', async () => {
    const here = await webhookScene();
    expect(await here.turn()).to.equal(false);
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    await ship(here);
    await untilIdle(here);
    expect(here.sent.map(({ body }) => JSON.parse(body).type)).to.have.members([
      'readiness.changed',
      'gate.changed',
      'release.shipped',
    ]);
    const message = here.sent.find(({ body }) => body.includes('release.shipped'));
    expect(message).to.include({ webhookId: here.webhook.id, url: here.webhook.url, at: here.time.now });
    expect(message?.secrets).to.deep.equal([here.webhook.secret]);
    for (const delivery of await deliveriesOf(here)) expect(delivery).to.include({ state: 'delivered', tries: 1 });
  });

  it('tries for three days by the schedule, under one id, and then gives up', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ failure: 'unreachable' });
    await ship(here);
    const began = here.time.now;
    await untilIdle(here);
    const tried = [began];
    for (;;) {
      const [delivery] = await deliveriesOf(here);
      if (delivery?.nextAt === undefined || delivery.nextAt === null) break;
      here.time.now = delivery.nextAt - 1;
      expect(await here.turn()).to.equal(false);
      here.time.now = delivery.nextAt;
      await untilIdle(here);
      tried.push(here.time.now);
    }
    expect(tried).to.have.lengthOf(10);
    expect((tried.at(-1) ?? 0) - began).to.be.within(75.5 * HOUR, 75.6 * HOUR);
    expect(new Set(here.sent.map(({ id, body }) => id + body)).size).to.equal(1);
    expect(here.sent.map(({ at }) => at)).to.deep.equal(tried);
    const [delivery] = await deliveriesOf(here);
    expect(delivery).to.include({ state: 'failed', tries: 10 });
    here.time.now += 1000 * HOUR;
    expect(await here.turn()).to.equal(false);
  });

  it('sends a message again, under the same id, when its worker ended before the answer was stored', async () => {
    const here = await webhookScene();
    await ship(here);
    const crash = new Error('killed');
    const stores = { ...here.stores, transaction: () => Promise.reject(crash) };
    const turn = deliverEvents(
      { ...here, stores },
      { leaseMs: 30_000, atOnce: 4, lane: 'quick', lanes: createDeliveryLanes() },
    );
    expect(await turn.catch((error: unknown) => error)).to.equal(crash);
    expect(await here.turn()).to.equal(false);
    here.time.now += 30_000;
    expect(await here.turn()).to.equal(true);
    expect(here.sent).to.have.lengthOf(2);
    expect(here.sent[1]?.id).to.equal(here.sent[0]?.id);
    expect((await deliveriesOf(here))[0]).to.include({ state: 'delivered', tries: 1 });
  });

  it('keeps no answer of a worker that lost its claim', async () => {
    const here = await webhookScene();
    await ship(here);
    here.reply = async () => {
      here.time.now += 30_000;
      here.reply = async () => ({ status: 204 });
      await here.turn();
      return { status: 500 };
    };
    await here.turn();
    const [delivery] = await deliveriesOf(here);
    expect(delivery).to.include({ state: 'delivered', tries: 1 });
    expect(delivery?.attempts.map(({ status }) => status)).to.deep.equal([204]);
  });

  it('by many workers at once sends each message once, a few at a time', async () => {
    const here = await webhookScene();
    const { webhook, time } = here;
    for (let count = 0; count < 20; count += 1) {
      const whose = {
        id: here.newId(),
        webhookId: webhook.id,
        type: 'gate.changed',
        body: '{}',
        at: time.now,
      } as const;
      await here.stores.webhooks.put({ ...whose, state: 'pending', tries: 0, nextAt: time.now, attempts: [] });
    }
    let [under, most] = [0, 0];
    here.reply = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 2));
      under -= 1;
      return { status: 200 };
    };
    const worker = async (): Promise<void> => {
      for (let turns = 0; turns < 30; turns += 1) {
        await here.turn();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    expect(new Set(here.sent.map(({ id }) => id)).size).to.equal(20);
    expect(here.sent).to.have.lengthOf(20);
    expect(most).to.equal(4);
  });

  it('fails at once behind a claim that failed, and claims again afterwards', async () => {
    const here = await webhookScene();
    await ship(here);
    const lanes = createDeliveryLanes();
    let claims = 0;
    const claimWork: typeof here.stores.webhooks.claimWork = async (...given) => {
      claims += 1;
      if (claims === 1) throw new Error('silent');
      return here.stores.webhooks.claimWork(...given);
    };
    const stores = { ...here.stores, webhooks: { ...here.stores.webhooks, claimWork } };
    const turn = () => deliverEvents({ ...here, stores }, { leaseMs: 30_000, atOnce: 4, lane: 'quick', lanes });
    const ends = await Promise.allSettled([turn(), turn(), turn()]);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).to.deep.equal(Array(3).fill('silent'));
    expect([claims, await turn(), claims]).to.deep.equal([1, true, 2]);
  });

  it('leaves a receiver that was slow to the workers for those, for an hour', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ status: 204, ms: 2001 });
    await ship(here);
    await untilIdle(here);
    const slowSince = here.time.now;
    for (const status of [204, 500]) {
      here.reply = async () => ({ status });
      await testWebhook(here, path(here));
      expect(await here.turn('quick')).to.equal(false);
      expect(await here.turn('slow')).to.equal(true);
    }
    await testWebhook(here, path(here));
    here.time.now = slowSince + HOUR - 1;
    expect(await here.turn('quick')).to.equal(false);
    here.time.now = slowSince + HOUR;
    expect(await here.turn('slow')).to.equal(false);
    expect(await here.turn('quick')).to.equal(true);
  });

  it('leaves all receivers of a team to the workers for slow ones once one of them was slow', async () => {
    const here = await webhookScene();
    const url = 'https://hooks.acme.dev/other';
    const other = await createWebhook(here, { by: here.owner, ...here.there, url, types: ['release.shipped'] });
    here.reply = async (message) => ({ status: 204, ms: message.url === url ? 0 : 2001 });
    await testWebhook(here, path(here));
    expect(await here.turn('quick')).to.equal(true);
    await testWebhook(here, { ...path(here), webhookId: other.webhook.id });
    expect(await here.turn('quick')).to.equal(false);
    expect(await here.turn('slow')).to.equal(true);
    expect(here.sent.map((message) => message.url)).to.deep.equal([here.webhook.url, url]);
  });

  it('disables the webhook of a receiver that is gone, for which nothing is kept from then on', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ status: 410 });
    await ship(here);
    await untilIdle(here);
    const gone = await here.stores.webhooks.byId(here.webhook.id);
    expect(gone).to.include({ state: 'gone', version: 2 });
    await recordHistory(here, { limit: 10, leaseMs: 1_000 });
    expect(await deliveriesOf(here)).to.have.lengthOf(1);
    const path = { by: here.owner, ...here.there, webhookId: here.webhook.id };
    await editWebhook(here, { ...path, edit: { state: 'enabled' } });
    expect(await here.turn()).to.equal(false);
  });

  it('leaves a webhook that got another address in the meantime as it is', async () => {
    const here = await webhookScene();
    await ship(here);
    const path = { by: here.owner, ...here.there, webhookId: here.webhook.id };
    here.reply = async () => {
      await editWebhook(here, { ...path, edit: { url: 'https://new.acme.dev/' } });
      return { status: 410 };
    };
    await here.turn();
    expect(await here.stores.webhooks.byId(here.webhook.id)).to.include({ state: 'enabled', version: 2 });
  });
});

const path = (here: WebhookScene) => ({ by: here.owner, ...here.there, webhookId: here.webhook.id });
const webhookOf = async (here: WebhookScene) => {
  const webhook = await here.stores.webhooks.byId(here.webhook.id);
  if (webhook === undefined) throw new Error('The webhook is gone.');
  return webhook;
};

/** Sends an event every six hours and lets the time pass until then, or until the webhook is disabled. */
const live = async (here: WebhookScene, until: number): Promise<void> => {
  let nextEvent = here.time.now;
  while (here.time.now < until && (await webhookOf(here)).state === 'enabled') {
    if (here.time.now >= nextEvent) {
      await testWebhook(here, path(here));
      nextEvent += 6 * HOUR;
    }
    while (await here.turn());
    const waiting = (await deliveriesOf(here)).flatMap(({ nextAt }) => nextAt ?? []);
    here.time.now = Math.min(until, nextEvent, ...waiting);
  }
};

describe('Disabling a webhook that fails', () => {
  it('happens when deliveries are given up after five days without a success, and is told', async () => {
    const here = await webhookScene();
    const began = here.time.now;
    const failures = ['unreachable', 'timeout'] as const;
    here.reply = async ({ at }) => (at % 2 === 0 ? { failure: failures[0] } : { status: 503 });
    await live(here, began + DISABLE_AFTER_FAILING_MS - 1);
    expect(await webhookOf(here)).to.include({ state: 'enabled', failingSince: began });
    expect((await deliveriesOf(here)).filter(({ state }) => state === 'failed')).to.have.length.above(3);
    await live(here, began + 30 * DAY);
    const { state, disabled, version } = await webhookOf(here);
    expect([state, disabled?.reason, version]).to.deep.equal(['disabled', 'failing', 2]);
    expect(disabled?.at).to.be.within(began + DISABLE_AFTER_FAILING_MS, began + DISABLE_AFTER_FAILING_MS + 6 * HOUR);
    expect((await actions(here, here.teamId)).at(-1)).to.equal('webhook.disable');
    const { rows } = await here.stores.audit.page({ teamId: here.teamId }, { limit: 1, after: null });
    expect(rows[0]).to.deep.include({
      at: disabled?.at,
      actor: { userId: null, name: 'Shipworthy', kind: 'service' },
      resource: { type: 'webhook', id: here.webhook.id },
      detail: { host: 'hooks.acme.dev', reason: 'failing', firstFailureAt: began },
    });
    expect(here.disabled).to.deep.equal(['failing']);
    expect(await here.turn()).to.equal(false);
  });

  it('is undone by enabling it again, whose five days begin anew and where what waits is sent', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ failure: 'timeout' });
    await live(here, here.time.now + 30 * DAY);
    const waiting = (await deliveriesOf(here)).filter(({ state }) => state === 'pending').length;
    expect(waiting).to.be.above(5);
    const enabled = await editWebhook(here, { ...path(here), edit: { state: 'enabled' } });
    expect(enabled).to.include({ state: 'enabled', disabled: null, failingSince: null });
    expect(await webhookOf(here)).to.deep.equal(enabled);
    const again = here.time.now;
    await live(here, again + DISABLE_AFTER_FAILING_MS - 1);
    expect(await webhookOf(here)).to.include({ state: 'enabled', failingSince: again });
    here.reply = async () => ({ status: 204 });
    await live(here, again + DISABLE_AFTER_FAILING_MS + DAY);
    expect(await webhookOf(here)).to.include({ state: 'enabled', failingSince: null });
    expect((await deliveriesOf(here)).filter(({ state }) => state === 'pending')).to.deep.equal([]);
  });

  it('does not happen while anything gets through, nor by one event alone', async () => {
    const here = await webhookScene();
    const began = here.time.now;
    here.reply = async ({ at }) => ({ status: at - began > 3 * DAY && at - began < 3.3 * DAY ? 200 : 500 });
    await live(here, began + 8 * DAY);
    expect(await webhookOf(here)).to.include({ state: 'enabled', version: 1 });
    const alone = await webhookScene();
    alone.reply = async () => ({ status: 500 });
    await testWebhook(alone, path(alone));
    for (let hours = 0; hours < 240; hours += 1) {
      while (await alone.turn());
      alone.time.now += HOUR;
    }
    expect((await deliveriesOf(alone))[0]).to.include({ state: 'failed', tries: 10 });
    expect(await webhookOf(alone)).to.include({ state: 'enabled' });
  });

  it('is noted of a receiver that is gone, too', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ status: 410 });
    await testWebhook(here, path(here));
    await here.turn();
    const gone = await webhookOf(here);
    expect(gone).to.deep.include({ state: 'gone', disabled: { reason: 'gone', at: here.time.now } });
    expect((await actions(here, here.teamId)).at(-1)).to.equal('webhook.disable');
    expect([here.disabled, here.ended]).to.deep.equal([['gone'], ['failed']]);
  });

  it('leaves a webhook that got another address in the meantime as it is', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ failure: 'unreachable' });
    await live(here, here.time.now + DISABLE_AFTER_FAILING_MS - 1);
    here.reply = async () => {
      const edited = await editWebhook(here, { ...path(here), edit: { url: 'https://new.acme.dev/' } });
      expect(edited.failingSince).to.equal(null);
      here.reply = async () => ({ failure: 'unreachable' });
      return { failure: 'unreachable' };
    };
    await live(here, here.time.now + DAY);
    expect(await webhookOf(here)).to.include({ state: 'enabled', version: 2, url: 'https://new.acme.dev/' });
    expect((await actions(here, here.teamId)).at(-1)).not.to.equal('webhook.disable');
  });
});
