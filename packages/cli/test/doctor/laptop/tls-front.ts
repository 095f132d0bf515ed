import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from './certificates.js';

/** TLS before a service of plain http. */
export interface TlsFront {
  readonly url: string;
  show(pair: KeyPair): void;
  close(): Promise<void>;
}

export const startTlsFront = async (target: string, pair: KeyPair): Promise<TlsFront> => {
  const server = createServer({ ...pair }, (asked, response) => {
    const { method, headers } = asked;
    const asking = request(new URL(asked.url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asking.once('error', () => response.destroy());
    asked.pipe(asking);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    show: (next) => server.setSecureContext({ ...next }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
