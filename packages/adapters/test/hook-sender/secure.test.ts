import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { hookSender } from '../../src/hook-sender/index.js';
import { selfSigned } from './certificate.js';

describe('sending by https', () => {
  const { cert, key } = selfSigned('hooks.example');
  let server: Server;
  const asked: unknown[] = [];
  before(async () => {
    server = createServer({ cert, key }, (request, response) => {
      asked.push([(request.socket as TLSSocket).servername, request.headers.host?.split(':')[0]]);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const send = (host: string, ca?: string) => {
    const { port } = server.address() as AddressInfo;
    const trust = ca === undefined ? {} : { ca };
    const targets = ['127.0.0.1'];
    const sender = hookSender({ secretKey: new Uint8Array(32), targets, resolve: async () => targets, ...trust });
    const { sealed: secret } = sender.newSecret('w');
    return sender.send({
      id: 'e',
      webhookId: 'w',
      url: `https://${host}:${port}/`,
      at: 0,
      body: '{}',
      secrets: [secret],
    });
  };

  it('goes to the checked address under the name of the host', async () => {
    expect(await send('hooks.example', cert)).to.include({ status: 204, failure: null });
    expect(asked).to.deep.equal([['hooks.example', 'hooks.example']]);
  });
  it('is sent only to the host, and only when it is trusted', async () => {
    for (const [host, ca] of [['hooks.example'], ['other.example', cert], ['127.0.0.1', cert]] as const)
      expect(await send(host, ca)).to.include({ status: null, failure: 'secure_connection' });
    expect(asked).to.have.lengthOf(1);
  });
});
