import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from '@shipworthy/adapters/crypto';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { memoryStores } from '@shipworthy/adapters/memory';
import { newDelivery } from '@shipworthy/domain';
import type { WebhookAnswer, WebhookMessage } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { createWorkWatch, type Loop, startWebhooks } from '../src/background.js';
import { createLog, silentLog } from '../src/observability/log.js';
import { inMemory, inPostgres, inSqlite, type OpenStores } from './harness/openings.js';
import { METRICS_TOKEN, startService } from './harness/service.js';
import { type Stage, stageOn } from './harness/stage.js';
import { createTestClock } from './harness/test-clock.js';
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

    it('arrive signed, and the secret is nowhere else', async () => {
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

const TIMED_OUT = { ms: 10_000, status: null, failure: 'timeout', retryAfterMs: null } as const;
const ACCEPTED = { ms: 5, status: 204, failure: null, retryAfterMs: null } as const;

/** Webhooks of several teams: a message whose address says so gets no answer until it is told to time out. */
const receivers = () => {
  const stores = memoryStores();
  const clock = createTestClock();
  const newId = uuidv7(clock.read);
  const sent: string[] = [];
  const waiting: { readonly url: string; readonly timeOut: () => void }[] = [];
  const send = ({ url }: WebhookMessage): Promise<WebhookAnswer> => {
    sent.push(url);
    if (!url.includes('silent')) return Promise.resolve(ACCEPTED);
    return new Promise((resolve) => waiting.push({ url, timeOut: () => resolve(TIMED_OUT) }));
  };
  const refuse = () => expect.fail('Nothing is registered here.');
  const sender = { refusal: refuse, newSecret: refuse, send, jitter: (ms: number) => ms };
  const deliveryLog = { tried: () => undefined, ended: () => undefined, disabled: () => undefined };
  const ports = { stores, clock: clock.read, newId, hookSender: sender, deliveryLog };
  const due = async (webhookId: string) => {
    const event = { id: newId(), webhookId, type: 'gate.changed', body: '{}', at: clock.read() } as const;
    await stores.webhooks.put(newDelivery(event, clock.read()));
  };
  return {
    sent,
    waiting,
    due,
    /** A webhook of the team, with a message that is due. */
    add: async (teamId: string, url: string): Promise<string> => {
      const named = { name: url, slug: url, version: 1, createdAt: clock.read() };
      const project = await stores.projects.create({ id: newId(), teamId, ...named });
      const id = newId();
      const now = {
        state: 'enabled',
        disabled: null,
        failingSince: null,
        secret: 'sealed',
        formerSecrets: [],
      } as const;
      const fixed = { id, projectId: project.id, types: ['gate.changed'] as const, version: 1 };
      await stores.webhooks.create({ ...fixed, ...now, url, createdAt: clock.read(), createdBy: 'Ada' });
      clock.pass(1);
      await due(id);
      return id;
    },
    start: () => startWebhooks(ports, silentLog, createWorkWatch(0), 1),
  };
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(1);
};

/** How many receivers are served at a time as long as none was slow. */
const WORKERS = 4;

describe('receivers that do not answer', () => {
  let loops: readonly Loop[] = [];
  let scene: ReturnType<typeof receivers>;
  beforeEach(() => {
    scene = receivers();
  });
  afterEach(async () => {
    const stopped = Promise.all(loops.map((loop) => loop.stop()));
    for (const { timeOut } of scene.waiting) timeOut();
    await stopped;
  });

  it('of one team leave workers for the webhooks of all others', async () => {
    for (let count = 0; count < 8; count += 1) await scene.add('eager', `https://silent-${count}.example`);
    await scene.add('other', 'https://other.example');
    loops = scene.start();
    await until(() => scene.sent.includes('https://other.example') || scene.waiting.length === WORKERS);
    expect(scene.waiting).to.have.lengthOf.below(WORKERS);
  });

  it('of many teams share a few workers once they were slow, and all others keep theirs', async () => {
    const silent: string[] = [];
    for (let count = 0; count < 8; count += 1)
      silent.push(await scene.add(`team ${count}`, `https://silent-${count}.example`));
    loops = scene.start();
    for (let count = 0; count < silent.length; count += 1) {
      await until(() => scene.waiting.length > 0);
      scene.waiting.shift()?.timeOut();
    }
    for (const id of silent) await scene.due(id);
    await until(() => scene.waiting.length > 0);
    await scene.add('other', 'https://other.example');
    await until(() => scene.sent.includes('https://other.example') || scene.waiting.length === WORKERS);
    expect(scene.waiting).to.have.lengthOf.within(1, WORKERS - 1);
  });
});
