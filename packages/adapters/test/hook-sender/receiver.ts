import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was received. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on the loopback. */
export interface Receiver {
  readonly port: number;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

/** Starts a receiver that answers as told, 204 unless told. */
export const startReceiver = async (
  answer: (response: ServerResponse, place: number) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = await bodyOf(request);
    received.push({ method: request.method, path: request.url, headers: request.headers, body });
    answer(response, received.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
