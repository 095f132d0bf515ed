import { expect } from 'chai';
import { editWebhook } from '../../src/use-cases/edit-webhook.js';
import { testWebhook } from '../../src/use-cases/send-again.js';
import { FAILING_AT_MOST } from '../../src/webhook/giving-up.js';
import { deliveriesOf, type WebhookScene, webhookScene } from './webhook-scene.js';
import { actions, DAY, HOUR } from './world.js';

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
      await testWebhook(here)(path(here));
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
    await live(here, began + FAILING_AT_MOST - 1);
    expect(await webhookOf(here)).to.include({ state: 'enabled', failingSince: began });
    expect((await deliveriesOf(here)).filter(({ state }) => state === 'failed')).to.have.length.above(3);
    await live(here, began + 30 * DAY);
    const { state, disabled, version } = await webhookOf(here);
    expect([state, disabled?.reason, version]).to.deep.equal(['disabled', 'failing', 2]);
    expect(disabled?.at).to.be.within(began + FAILING_AT_MOST, began + FAILING_AT_MOST + 6 * HOUR);
    expect((await actions(here, here.teamId)).at(-1)).to.equal('webhook.disable');
    const { rows } = await here.stores.audit.page(here.teamId, { limit: 1, after: null });
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
    const enabled = await editWebhook(here)({ ...path(here), edit: { state: 'enabled' } });
    expect(enabled).to.include({ state: 'enabled', disabled: null, failingSince: null });
    expect(await webhookOf(here)).to.deep.equal(enabled);
    const again = here.time.now;
    await live(here, again + FAILING_AT_MOST - 1);
    expect(await webhookOf(here)).to.include({ state: 'enabled', failingSince: again });
    here.reply = async () => ({ status: 204 });
    await live(here, again + FAILING_AT_MOST + DAY);
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
    await testWebhook(alone)(path(alone));
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
    await testWebhook(here)(path(here));
    await here.turn();
    const gone = await webhookOf(here);
    expect(gone).to.deep.include({ state: 'gone', disabled: { reason: 'gone', at: here.time.now } });
    expect((await actions(here, here.teamId)).at(-1)).to.equal('webhook.disable');
    expect([here.disabled, here.ended]).to.deep.equal([['gone'], ['failed']]);
  });

  it('leaves a webhook that got another address meanwhile as it is', async () => {
    const here = await webhookScene();
    here.reply = async () => ({ failure: 'unreachable' });
    await live(here, here.time.now + FAILING_AT_MOST - 1);
    here.reply = async () => {
      const edited = await editWebhook(here)({ ...path(here), edit: { url: 'https://new.acme.dev/' } });
      expect(edited.failingSince).to.equal(null);
      here.reply = async () => ({ failure: 'unreachable' });
      return { failure: 'unreachable' };
    };
    await live(here, here.time.now + DAY);
    expect(await webhookOf(here)).to.include({ state: 'enabled', version: 2, url: 'https://new.acme.dev/' });
    expect((await actions(here, here.teamId)).at(-1)).not.to.equal('webhook.disable');
  });
});
