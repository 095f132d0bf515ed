import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { expect } from 'chai';
import { createLog } from '../src/observability/log.js';
import { inMemory, inPostgres, inSqlite, type OpenStores } from './harness/openings.js';
import { METRICS_TOKEN, startService } from './harness/service.js';
import { type Stage, stageOn } from './harness/stage.js';
import { createTestHost } from './harness/test-host.js';
import { verified } from './work/receive-webhook.js';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const deliverySuite = (name: string, open: OpenStores): void => {
  describe(`events on their way to a webhook, ${name}`, () => {
    const got: Got[] = [];
    const lines: string[] = [];
    const logged = createLog('debug', async (text) => void lines.push(text), Date.now);
    let status = 204;
    let receiver: Server;
    let stage: Stage;
    before(async () => {
      receiver = createServer(async (request, response) => {
        let body = '';
        for await (const part of request) body += String(part);
        got.push({ headers: request.headers, body });
        response.writeHead(status).end('an answer nobody keeps');
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      const sender = hookSender({ secretKey: new Uint8Array(32).fill(9), targets: ['127.0.0.1'] });
      const forge = createTestHost();
      const service = await startService(await open(), { repositoryHost: forge.host, hookSender: sender, log: logged });
      stage = await stageOn(service, forge);
    });
    after(async () => {
      await stage.service.close();
      receiver.close();
    });

    it('arrive signed, and the secret stands nowhere else', async () => {
      const { browser, inProject, inRelease, service } = stage;
      const { port } = receiver.address() as AddressInfo;
      const types = ['readiness.changed', 'gate.changed', 'release.shipped'] as const;
      const body = { url: `http://127.0.0.1:${port}/in`, types };
      const { data } = (await browser.ok('createWebhook', { path: inProject, body })).body;
      const path = { ...inProject, webhook_id: data.id };
      await browser.ok('shipRelease', { path: inRelease, body: { note: 'At last.' } });
      const shippedOne = () => got.find((each) => each.body.includes('release.shipped'));
      // What moved the release before may arrive first.
      while (shippedOne() === undefined) await pause(10);
      const shipped = shippedOne();
      const [now, first] = [service.clock.read(), verified(shipped?.headers ?? {}, shipped?.body ?? '', data.secret)];
      expect(first).to.include({ type: 'release.shipped', timestamp: new Date(now).toISOString() });
      expect(first?.data).to.deep.include({ release: { id: inRelease.release_id, name: '2.4' }, decision: 'hold' });
      expect(verified(shipped?.headers ?? {}, `${shipped?.body} `, data.secret)).to.equal(undefined);

      const rotated = (await browser.ok('rotateWebhookSecret', { path })).body.data.secret;
      const before = got.length;
      const test = (await browser.ok('testWebhook', { path })).body.data;
      const tested = async () => {
        for (;;) {
          const found = got.slice(before).find(({ headers }) => headers['webhook-id'] === test.id);
          if (found !== undefined) return found;
          await pause(10);
        }
      };
      const { headers, body: sent } = await tested();
      for (const secret of [data.secret, rotated])
        expect(verified(headers, sent, secret)).to.deep.include({
          type: 'webhook.test',
          data: { webhook_id: data.id },
        });

      const log = await browser.ok('listDeliveries', { path });
      const metrics = await service.anonymous.ok('readMetrics', {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      await logged.flush();
      const told = [...lines, log.text, metrics.text, (await browser.ok('listWebhooks', { path: inProject })).text];
      for (const secret of [data.secret, rotated]) expect(told.join('\n')).not.to.contain(secret.slice(6));
      expect(told.join('\n')).not.to.contain('nobody keeps');
      expect(lines.join('')).to.contain('rotate-secret');
    });

    it('are logged with what came of them', async () => {
      const { browser, inProject } = stage;
      const [webhook] = (await browser.ok('listWebhooks', { path: inProject })).body.data;
      const path = { ...inProject, webhook_id: webhook?.id ?? '' };
      status = 410;
      const { data } = (await browser.ok('testWebhook', { path })).body;
      const found = async () => {
        for (;;) {
          const { data: rows } = (await browser.ok('listDeliveries', { path })).body;
          const delivery = rows.find(({ id }) => id === data.id);
          if (delivery?.state !== 'pending') return delivery;
          await pause(20);
        }
      };
      const delivery = await found();
      expect(delivery).to.include({ state: 'failed', tries: 1, next_at: null });
      expect(delivery?.attempts.map(({ status: answered, failure }) => [answered, failure])).to.deep.equal([
        [410, null],
      ]);
      expect((await browser.ok('readWebhook', { path })).body.data.state).to.equal('gone');
    });
  });
};

deliverySuite('in memory', inMemory);
deliverySuite('on SQLite', inSqlite);
deliverySuite('on PostgreSQL', inPostgres);
