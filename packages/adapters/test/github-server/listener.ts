import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on this machine that can be shut and opened again at the same port. */
export interface Listener {
  readonly url: string;
  /** Accepts no connection until `open`, and breaks the present ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

/**
 * Never closes an idle connection. A test may hold the thread for longer than the usual 5 seconds between two requests; the
 * client would then use a connection that is being closed.
 */
export const KEPT_OPEN = { keepAliveTimeout: 0 } as const;

/** @param port 0: a free one */
export const listen = async (port: number, listener: RequestListener): Promise<Listener> => {
  let server: Server;
  const start = async (at: number): Promise<void> => {
    server = createServer(KEPT_OPEN, listener).listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await start(port);
  const bound = (): number => (server.address() as AddressInfo).port;
  const taken = bound();
  return {
    url: `http://127.0.0.1:${taken}`,
    shut: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    open: async () => {
      if (!server.listening) await start(taken);
    },
  };
};

/** The whole body of a request as text. */
export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
