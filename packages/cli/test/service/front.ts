import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer on its way through. */
export interface Passing {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A proxy between a command and its server, which may change answers. */
export interface Front {
  readonly url: string;
  /** From now on answers are changed so; `path` is that of the request. */
  readonly change: (change: (path: string, answer: Passing) => Passing) => void;
  readonly stop: () => Promise<void>;
}

/** Starts a proxy in front of the server at that address; until told otherwise it hands on what it is answered. */
export const startFront = async (target: string): Promise<Front> => {
  let change = (_path: string, answer: Passing): Passing => answer;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { host: _, connection: __, ...headers } = request.headers;
    const path = request.url ?? '/';
    const { method = 'GET' } = request;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(pieces) };
    const answered = await fetch(`${target}${path}`, {
      method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...body,
    });
    const contentType = answered.headers.get('content-type') ?? '';
    const passed = change(path, { status: answered.status, contentType, body: await answered.text() });
    const kept = ['etag', 'location', 'date', 'x-request-id', 'idempotent-replayed', 'www-authenticate'];
    const told = kept.flatMap((name) => (answered.headers.has(name) ? [[name, answered.headers.get(name) ?? '']] : []));
    const moved = passed.status >= 300 && passed.status < 400 ? { location: '/elsewhere' } : {};
    response.writeHead(passed.status, { ...Object.fromEntries(told), ...moved, 'content-type': passed.contentType });
    response.end(passed.status === 204 || passed.status === 304 ? undefined : passed.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: (next) => {
      change = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
