import { expect } from 'chai';
import {
  createWebhook,
  editWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
} from '../../src/use-cases/webhook.js';
import { MOST_FORMER_SECRETS, MOST_WEBHOOKS, secretsAt } from '../../src/webhook.js';
import { refused } from '../refusal.js';
import { deliveriesOf, type WebhookScene, webhookScene } from './webhook-scene.js';
import { actions, HOUR, needing } from './world.js';

const path = (here: WebhookScene, by = here.owner) => ({ by, ...here.there, webhookId: here.webhook.id });
const URL = 'https://hooks.acme.dev/';

describe('Webhooks', () => {
  it("are an owner's to make, change, test and remove, each of which is noted without their address and secret", async () => {
    const here = await webhookScene();
    const test = await testWebhook(here, path(here));
    await replayDelivery(here, { ...path(here), deliveryId: test.id });
    await rotateWebhookSecret(here, path(here));
    await editWebhook(here, { ...path(here), edit: { state: 'disabled', url: `${URL}canary` } });
    await removeWebhook(here, path(here));
    const noted = (await actions(here, here.teamId)).filter((action) => action.startsWith('webhook.'));
    const deeds = ['create', 'test', 'replay', 'rotate_secret', 'edit', 'remove'];
    expect(noted).to.deep.equal(deeds.map((deed) => `webhook.${deed}`));
    const { rows } = await here.stores.audit.page({ teamId: here.teamId }, { limit: 200, after: null });
    expect(JSON.stringify(rows)).not.to.contain('canary').and.not.to.contain(here.secret.slice(6));
    expect(JSON.stringify(rows)).to.contain('hooks.acme.dev');
  });

  it('belong to their project only', async () => {
    const here = await webhookScene();
    for (const [by, code] of [
      [needing('owner', here.member), 'forbidden'],
      [needing('owner', here.viewer), 'forbidden'],
      [here.stranger, 'not-found'],
    ] as const) {
      await refused(createWebhook(here, { by, ...here.there, url: URL, types: ['gate.changed'] }), code);
      await refused(editWebhook(here, { ...path(here, by), edit: { state: 'disabled' } }), code);
      await refused(rotateWebhookSecret(here, path(here, by)), code);
      await refused(testWebhook(here, path(here, by)), code);
      await refused(replayDelivery(here, { ...path(here, by), deliveryId: here.newId() }), code);
      await refused(removeWebhook(here, path(here, by)), code);
    }
    expect(await here.stores.webhooks.byId(here.webhook.id)).to.deep.equal(here.webhook);
    await refused(testWebhook(here, { ...path(here), webhookId: here.newId() }), 'not-found');
    await refused(replayDelivery(here, { ...path(here), deliveryId: here.newId() }), 'not-found');
  });

  it('take no internal address, and are 20 at most', async () => {
    const here = await webhookScene();
    const make = (url: string) => createWebhook(here, { by: here.owner, ...here.there, url, types: ['gate.changed'] });
    const error = await refused(make('http://169.254.169.254/'), 'invalid');
    expect(error.details.faults).to.have.nested.property('[0].pointer', '/url');
    await refused(editWebhook(here, { ...path(here), edit: { url: 'http://[::1]/' } }), 'invalid');
    for (let count = 1; count < MOST_WEBHOOKS; count += 1) await make(URL);
    await refused(make(URL), 'invalid');
  });

  it('sign with the former secret too for 24 hours after a rotation', async () => {
    const here = await webhookScene();
    const { webhook, secret } = await rotateWebhookSecret(here, path(here));
    expect(secret).not.to.equal(here.secret);
    const { now } = here.time;
    expect(secretsAt(webhook, now + 24 * HOUR - 1)).to.deep.equal([webhook.secret, here.webhook.secret]);
    expect(secretsAt(webhook, now + 24 * HOUR)).to.deep.equal([webhook.secret]);
    await testWebhook(here, path(here));
    await here.turn();
    expect(here.sent[0]?.secrets).to.deep.equal([webhook.secret, here.webhook.secret]);
  });

  it('sign with every former secret for its own 24 hours, whenever the next rotation was', async () => {
    const here = await webhookScene();
    const began = here.time.now;
    const secrets = [here.webhook.secret];
    for (let count = 0; count < MOST_FORMER_SECRETS; count += 1) {
      secrets.unshift((await rotateWebhookSecret(here, path(here))).webhook.secret);
      here.time.now += HOUR;
    }
    await testWebhook(here, path(here));
    await here.turn();
    expect(here.sent[0]?.secrets).to.deep.equal(secrets);
    const error = await refused(rotateWebhookSecret(here, path(here)), 'too-many-secrets');
    expect(error.details).to.deep.equal({ retryAt: began + 24 * HOUR });
    expect(await here.stores.webhooks.byId(here.webhook.id)).to.include({ secret: secrets[0] });
    here.time.now = began + 24 * HOUR;
    const { webhook } = await rotateWebhookSecret(here, path(here));
    expect(secretsAt(webhook, here.time.now)).to.deep.equal([webhook.secret, ...secrets.slice(0, -1)]);
    expect(webhook.formerSecrets).to.have.lengthOf(MOST_FORMER_SECRETS);
  });

  it('say who disabled them and when, until they are enabled again', async () => {
    const here = await webhookScene();
    const began = here.time.now;
    const edit = async (change: Parameters<typeof editWebhook>[1]['edit']) =>
      (await editWebhook(here, { ...path(here), edit: change })).disabled;
    const person = { reason: 'person', at: began };
    expect(await edit({ types: ['gate.changed'] })).to.equal(null);
    expect(await edit({ state: 'disabled' })).to.deep.equal(person);
    here.time.now += HOUR;
    expect(await edit({ state: 'disabled', url: `${URL}new` })).to.deep.equal(person);
    expect(await edit({ state: 'enabled' })).to.equal(null);
  });

  it('send a delivery once more under its own id, and a test under a new one', async () => {
    const here = await webhookScene();
    const test = await testWebhook(here, path(here));
    await here.turn();
    expect(JSON.parse(here.sent[0]?.body ?? '')).to.deep.include({
      type: 'webhook.test',
      data: { webhook_id: here.webhook.id },
    });
    expect(await replayDelivery(here, { ...path(here), deliveryId: test.id })).to.include({ state: 'pending' });
    await here.turn();
    expect(here.sent.map(({ id }) => id)).to.deep.equal([test.id, test.id]);
    const [delivery] = await deliveriesOf(here);
    expect(delivery?.attempts.map(({ status }) => status)).to.deep.equal([204, 204]);
    expect((await testWebhook(here, path(here))).id).not.to.equal(test.id);
  });

  it('send a delivery once more that is replayed during its first try, in the millisecond in which it was due', async () => {
    const here = await webhookScene();
    const test = await testWebhook(here, path(here));
    here.reply = async () => {
      if (here.sent.length === 1) await replayDelivery(here, { ...path(here), deliveryId: test.id });
      return { status: 204 };
    };
    await here.turn();
    here.time.now += 1;
    await here.turn();
    expect(here.sent.map(({ id }) => id)).to.deep.equal([test.id, test.id]);
    expect((await deliveriesOf(here))[0]).to.include({ state: 'delivered', tries: 1 });
  });

  it('send nothing while they are disabled', async () => {
    const here = await webhookScene();
    const test = await testWebhook(here, path(here));
    await editWebhook(here, { ...path(here), edit: { state: 'disabled' }, version: 1 });
    await refused(editWebhook(here, { ...path(here), edit: { state: 'enabled' }, version: 1 }), 'version-mismatch');
    await refused(testWebhook(here, path(here)), 'webhook-disabled');
    await refused(replayDelivery(here, { ...path(here), deliveryId: test.id }), 'webhook-disabled');
    expect(await here.turn()).to.equal(false);
    await editWebhook(here, { ...path(here), edit: { state: 'enabled' }, version: 2 });
    expect(await here.turn()).to.equal(true);
  });
});
