import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { type Stage, setStage } from '@shipworthy/example-own-pipeline/stage';
import { expect } from 'chai';
import { readDocument, root, runnable } from './documents.js';
import { runBlock } from './shell.js';
import { webhookReceiver } from './webhook-receiver.js';

const HOW_TO = 'docs/how-to/receive-webhooks.md';
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the how-to of webhooks', () => {
  let folder = '';
  let server: ServerProcess;
  let person: Client;
  let stage: Stage;
  const handled: { readonly type: string }[] = [];
  let secret = '';
  // The secret is known only once the webhook is there, which has to know where the receiver is.
  const receiver = webhookReceiver('', () => {});

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'how-to-'));
    server = await startServer(folder, 'a token of this test', { SHIPWORTHY_WEBHOOK_TARGETS: '127.0.0.1' });
    person = await setUp(server.url, server.setupToken);
    stage = await setStage(person, 'checkout', new Date('2026-01-01T00:00:00Z'));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    receiver.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the whole receiver', () => {
    const [block] = readDocument(HOW_TO).blocks.filter(({ language }) => language === 'ts');
    expect(block?.text).to.equal(readFileSync(join(root, block?.about ?? ''), 'utf8'));
  });

  it('creates a webhook whose receiver takes what is genuine, once, and nothing else', async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const { team_id: TEAM_ID, project_id: PROJECT_ID } = stage.path;
    const [create = ''] = runnable(HOW_TO);
    const settings = { SHIPWORTHY_API_URL: server.url, TEAM_ID, PROJECT_ID, RECEIVER_URL: url };
    const { data } = JSON.parse(await runBlock(create, folder, settings));
    secret = data.secret;
    receiver.removeAllListeners('request');
    const handle = webhookReceiver(secret, (event) => handled.push(event as { readonly type: string }));
    receiver.on('request', (request, response) => void handle.emit('request', request, response));
    const path = { team_id: TEAM_ID, project_id: PROJECT_ID, webhook_id: data.id };

    await person.shipRelease({ path: stage.path });
    while (!handled.some(({ type }) => type === 'release.shipped')) await pause(20);
    const before = handled.length;
    const { body } = await person.listDeliveries({ path });
    const shipped = body.data.find(({ type }) => type === 'release.shipped');
    await person.replayDelivery({ path: { ...path, delivery_id: shipped?.id ?? '' } });
    const tried = async () => {
      const { data: rows } = (await person.listDeliveries({ path })).body;
      return rows.find(({ id }) => id === shipped?.id)?.attempts.map(({ status }) => status);
    };
    while ((await tried())?.length !== 2) await pause(20);
    expect(await tried()).to.deep.equal([204, 204]);
    expect(handled.filter(({ type }) => type === 'release.shipped')).to.have.lengthOf(1);
    expect(handled.length).to.be.at.least(before);

    const now = String(Math.floor(Date.now() / 1000));
    const forged = { 'webhook-id': 'e', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' };
    expect((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status).to.equal(401);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(401);
  });

  it('goes on when a message is cut short, too large, or cannot be handled', async () => {
    const failing = webhookReceiver('whsec_AAAA', () => {
      throw new Error('The handler failed.');
    });
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    const { port } = failing.address() as AddressInfo;
    // Each over a connection of its own: one that was cut is of no use to the next.
    const send = (body: string, headers: Record<string, string> = {}) =>
      new Promise<number | string | undefined>((resolve) => {
        const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (answer) =>
          resolve(answer.resume().statusCode),
        );
        sent.once('error', () => resolve('cut off'));
        sent.end(body);
      });
    const cut = connect(port, '127.0.0.1');
    cut.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{');
    await once(failing, 'request');
    cut.destroy();
    expect(await send('x'.repeat(2_000_000))).to.be.oneOf([500, 'cut off']);
    const time = String(Math.floor(Date.now() / 1000));
    const signed = createHmac('sha256', Buffer.from('AAAA', 'base64')).update(`m1.${time}.{}`).digest('base64');
    const genuine = { 'webhook-id': 'm1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signed}` };
    // It is not taken for handled, so the next try is.
    expect([await send('{}', genuine), await send('{}', genuine), await send('{}')]).to.deep.equal([500, 500, 401]);
    failing.close();
  });
});
