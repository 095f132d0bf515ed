import { disabledBy } from '@shipworthy/domain';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

const REQUEST = { url: 'https://hooks.acme.dev/in?key=1', types: ['gate.changed', 'release.shipped'] } as const;
const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

onEveryStore('webhooks', (open) => {
  const stage = useFreshStage(open);
  const create = async (types: readonly ('gate.changed' | 'release.shipped')[] = REQUEST.types) => {
    const { browser, inProject } = stage();
    const { body } = await browser.ok('createWebhook', { path: inProject, body: { ...REQUEST, types } });
    return { secret: body.data.secret, webhook: body.data, path: { ...inProject, webhook_id: body.data.id } };
  };

  it('are answered with their secret once, and without it ever after', async () => {
    const { browser, inProject, service } = stage();
    const { webhook, secret, path } = await create();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _, ...shown } = webhook;
    const at = new Date(service.clock.read()).toISOString();
    const never = { disabled_reason: null, disabled_at: null, failing_since: null };
    const rest = {
      ...never,
      former_secret_until: null,
      former_secrets_until: [],
      created_at: at,
      created_by: 'Ada',
      version: 1,
    };
    expect(shown).to.deep.equal({ ...REQUEST, id: webhook.id, state: 'enabled', ...rest });
    const answers = [
      await browser.ok('listWebhooks', { path: inProject }),
      await browser.ok('readWebhook', { path }),
      await browser.ok('changeWebhook', { path, body: { types: ['gate.changed'] } }),
      await browser.ok('testWebhook', { path }),
      await browser.ok('listDeliveries', { path }),
      await browser.ok('listAuditEntries', { path: { team_id: path.team_id } }),
    ];
    for (const { text } of answers) expect(text).not.to.contain(secret.slice(6)).and.not.to.contain('"secret"');
    const [listed] = (await browser.ok('listWebhooks', { path: inProject })).body.data;
    // The test event may have failed by now.
    const { failing_since } = listed ?? shown;
    expect(listed).to.deep.equal({ ...shown, failing_since, types: ['gate.changed'], version: 2 });
  });

  it('get another secret, beside which the former one holds for a day', async () => {
    const { browser, service } = stage();
    const { secret, path } = await create();
    const { data } = (await browser.ok('rotateWebhookSecret', { path })).body;
    expect(data.secret).not.to.equal(secret);
    const until = new Date(service.clock.read() + 24 * 3_600_000).toISOString();
    expect(data.former_secret_until).to.equal(until);
    for (let count = 0; count < 4; count += 1) await browser.ok('rotateWebhookSecret', { path });
    const { body, headers } = await browser.refused('rotateWebhookSecret', 'too-many-secrets', { path });
    expect(body.detail).to.match(/^5 former secrets still hold/);
    expect([body.retry_at, headers['retry-after']]).to.deep.equal([until, '86400']);
    expect((await browser.ok('readWebhook', { path })).body.data.former_secrets_until).to.deep.equal(
      Array(5).fill(until),
    );
  });

  it('say since when and why they are disabled', async () => {
    const { browser, service } = stage();
    const { path } = await create();
    const at = new Date(service.clock.read()).toISOString();
    const read = async () => (await browser.ok('readWebhook', { path })).body.data;
    await browser.ok('changeWebhook', { path, body: { state: 'disabled' } });
    expect(await read()).to.include({ state: 'disabled', disabled_reason: 'person', disabled_at: at });
    await browser.ok('changeWebhook', { path, body: { state: 'enabled' } });
    expect(await read()).to.include({ state: 'enabled', disabled_reason: null, disabled_at: null });
    const { webhooks } = service.ports.stores;
    const stored = await webhooks.byId(path.webhook_id);
    if (stored === undefined) throw new Error('The webhook is gone.');
    await webhooks.setFailing(stored.id, 1_000);
    await webhooks.replace(disabledBy(stored, 'failing', 2_000));
    const failing = { failing_since: '1970-01-01T00:00:01.000Z', disabled_at: '1970-01-01T00:00:02.000Z' };
    expect(await read()).to.include({ state: 'disabled', disabled_reason: 'failing', ...failing });
    const { body } = await browser.ok('changeWebhook', { path, body: { state: 'enabled' } });
    expect(body.data).to.include({ state: 'enabled', disabled_reason: null, failing_since: null });
  });

  it('refuse internal addresses and what is not well-formed', async () => {
    const { browser, inProject } = stage();
    const { path } = await create();
    for (const url of [
      'http://127.0.0.1:9/',
      'http://2130706433/',
      'http://[::ffff:10.0.0.1]/',
      'https://u:p@acme.dev/',
    ]) {
      const { body } = await browser.refused('createWebhook', 'invalid', {
        path: inProject,
        body: { ...REQUEST, url },
      });
      expect(body.errors).to.have.nested.property('[0].pointer', '/url');
      await browser.refused('changeWebhook', 'invalid', { path, body: { url } });
    }
    for (const change of [
      { types: [] },
      { types: ['gate.changed', 'gate.changed'] },
      { types: ['rain'] },
      { secret: 'x' },
    ])
      await browser.refused('createWebhook', 'invalid', {
        path: inProject,
        rawBody: JSON.stringify({ ...REQUEST, ...change }),
      });
    await browser.refused('changeWebhook', 'invalid', { path, rawBody: '{"state":"gone"}' });
  });

  it('are changed as they were seen, or not at all', async () => {
    const { browser } = stage();
    const { path } = await create();
    await browser.ok('changeWebhook', { path, body: { state: 'disabled' }, headers: { 'if-match': '"1"' } });
    const stale = { path, body: { state: 'enabled' as const }, headers: { 'if-match': '"1"' } };
    const { body } = await browser.refused('changeWebhook', 'version-mismatch', stale);
    expect(body.current).to.include({ version: 2, state: 'disabled' });
    await browser.refused('testWebhook', 'webhook-disabled', { path });
  });

  it('are found in their own project only, and gone once they are removed', async () => {
    const { browser, world, ada, team, pipeline } = stage();
    const { path } = await create();
    const other = await world.project(ada, team, 'search');
    await browser.refused('readWebhook', 'not-found', { path: { ...path, project_id: other.id } });
    await pipeline.refused('readWebhook', 'session-only', { path });
    const { data } = (await browser.ok('testWebhook', { path })).body;
    await browser.refused('replayDelivery', 'not-found', { path: { ...path, delivery_id: ID } });
    await browser.ok('replayDelivery', { path: { ...path, delivery_id: data.id } });
    await browser.ok('removeWebhook', { path });
    await browser.refused('readWebhook', 'not-found', { path });
    await browser.refused('replayDelivery', 'not-found', { path: { ...path, delivery_id: data.id } });
  });

  it('list their deliveries newest first, page by page', async () => {
    const { browser } = stage();
    // The background work may notice only now that the gate of the stage has changed.
    const { path } = await create(['release.shipped']);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await browser.ok('testWebhook', { path })).body.data.id);
    const first = (await browser.ok('listDeliveries', { path, query: { limit: 2 } })).body;
    expect(first.data.map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));
    const second = (await browser.ok('listDeliveries', { path, query: { limit: 2, cursor: first.next_cursor ?? '' } }))
      .body;
    expect([second.data.map(({ id }) => id), second.next_cursor]).to.deep.equal([ids.slice(2), null]);
  });

  it('have their deliveries exported as CSV, with the last try and nothing of what was sent', async () => {
    const { browser, pipeline, service } = stage();
    const { path, secret } = await create(['release.shipped']);
    const at = service.clock.read();
    const attempt = { at: at + 1000, ms: 12, status: null, failure: 'timeout' } as const;
    const told = { webhookId: path.webhook_id, type: 'gate.changed', at, body: '{"type":"secret words"}' } as const;
    const never = { ...told, id: ID, state: 'pending', tries: 0, nextAt: null, attempts: [] } as const;
    const id = ID.replace('01932c7e', '01932c7f');
    const attempts = [attempt, { ...attempt, at: at + 2000, status: 503, failure: null }];
    const failed = { ...never, id, at: at + 1, state: 'failed', tries: 2, attempts } as const;
    for (const delivery of [never, failed]) await service.ports.stores.webhooks.put(delivery);
    const { headers, text } = await browser.ok('exportDeliveries', { path });
    expect(headers['content-disposition']).to.equal('attachment; filename="deliveries.csv"');
    const iso = (moment: number) => new Date(moment).toISOString();
    expect(text.split('\r\n')).to.deep.equal([
      'at,type,state,tries,next_at,last_attempt_at,last_attempt_ms,last_attempt_status,last_attempt_failure,id',
      `"${iso(at + 1)}","gate.changed","failed",2,,"${iso(at + 2000)}",12,503,,"${id}"`,
      `"${iso(at)}","gate.changed","pending",0,,,,,,"${ID}"`,
      '',
    ]);
    expect(text).not.to.contain('secret').and.not.to.contain(secret.slice(6));
    await pipeline.refused('exportDeliveries', 'session-only', { path });
  });
});
