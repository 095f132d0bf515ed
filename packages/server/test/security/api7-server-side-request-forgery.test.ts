import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { INTERNAL_HOSTS, NO_ADDRESSES, OTHER_SCHEMES, WITH_USER } from '@shipworthy/adapters/test-addresses';
import { expect } from 'chai';
import { deployedEvent } from '../harness/cdevents.js';
import { until } from '../harness/local-host.js';
import { inMemory } from '../harness/openings.js';
import { connected, newItem } from '../harness/preparations.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { startService } from '../harness/service.js';
import { type Stage, stageOn } from '../harness/stage.js';
import { createTestHost } from '../harness/test-host.js';

describe('OWASP API7, server side request forgery: who wants the service to ask its own network', () => {
  let internal: Server;
  let port = 0;
  let stage: Stage;
  const asked: string[] = [];
  /** What the name leads to, which its owner may change at any time. */
  let leadsTo = '93.184.216.34';

  before(async () => {
    internal = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
    port = (internal.address() as AddressInfo).port;
    const resolve = async () => [leadsTo];
    const sender = hookSender({ secretKey: new Uint8Array(32).fill(3), resolve });
    const forge = createTestHost();
    const service = await startService(await inMemory(), { repositoryHost: forge.host, hookSender: sender });
    stage = await stageOn(service, forge);
  });
  after(async () => {
    await stage.service.close();
    internal.close();
  });
  afterEach(() => expect(asked, 'what reached the internal server').to.deep.equal([]));

  it('names no internal address as a webhook, however it is written', async () => {
    const { browser, inProject: path } = stage;
    const refused = async (url: string) => {
      const rawBody = JSON.stringify({ url, types: ['gate.changed'] });
      await browser.refused('createWebhook', 'invalid', { path, rawBody });
    };
    for (const host of Object.values(INTERNAL_HOSTS).flat()) await refused(`http://${host}:${port}/`);
    for (const url of [...NO_ADDRESSES, ...OTHER_SCHEMES, ...WITH_USER]) await refused(url);
  });

  it('reaches nothing by a name that is led inside after it was taken', async () => {
    const { browser, inProject } = stage;
    const body = { url: `http://hooks.acme.dev:${port}/in`, types: ['gate.changed'] as const };
    const { id } = (await browser.ok('createWebhook', { path: inProject, body })).body.data;
    const path = { ...inProject, webhook_id: id };
    leadsTo = '127.0.0.1';
    await browser.ok('testWebhook', { path });
    const delivery = async () => (await browser.ok('listDeliveries', { path })).body.data[0];
    const tried = await until(delivery, (found) => (found?.attempts.length ?? 0) > 0);
    expect(tried?.attempts[0]).to.include({ failure: 'unresolved', status: null });
  });

  it('has nothing fetched that is a link for people to follow', async () => {
    const { browser, pipeline, inProject, service } = stage;
    const url = `http://127.0.0.1:${port}/link`;
    await pipeline.ok('recordDeployment', { body: { ...FINISHED, url } });
    await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, url } });
    await browser.ok('addEvidence', { path: await newItem(stage), body: { url, label: 'Proof' } });
    await browser.ok('createIssue', { path: inProject, body: { title: 'Look', type: 'task', state: 'todo', url } });
    await pipeline.ask('receiveCdEvent', { rawBody: JSON.stringify(deployedEvent(service.clock.read())) });
  });

  it('names repositories by path only: an address is none', async () => {
    const { browser, inProject: path } = stage;
    await connected(stage);
    for (const repository of [`http://127.0.0.1:${port}/a/b`, `127.0.0.1:${port}/b`, '../../a/b', '//127.0.0.1/a'])
      expect((await browser.ask('linkRepository', { path, body: { repository } })).status).to.be.oneOf([404, 422]);
  });
});
