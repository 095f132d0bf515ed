import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server can go wrong, each saying back what it was sent. */
export type Fault = 'rejects' | 'page' | 'cut' | 'redirects' | 'silent';

/** A server that goes wrong, and what reached the other one it sends callers to. */
export interface HostileServer {
  readonly url: string;
  /** Authorization headers that arrived at the other origin. */
  readonly strayed: () => readonly string[];
  /** How often it was asked. */
  readonly asked: () => number;
  readonly stop: () => Promise<void>;
}

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const answers =
  (fault: Fault, elsewhere: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const sent = request.headers.authorization ?? 'nothing';
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'x-request-id': sent.replace('Bearer ', '') }).end(body);
    const problem = {
      type: '/problems/unauthenticated',
      title: sent,
      status: 401,
      detail: `No key ${sent}.`,
      errors: [],
    };
    if (fault === 'rejects') reply(401, 'application/problem+json', JSON.stringify(problem));
    if (fault === 'page') reply(500, 'text/html', `<html><h1>${sent}</h1></html>`);
    if (fault === 'cut') reply(200, 'application/json', `{"data": [{"id": "${sent}", `);
    if (fault === 'redirects')
      response.writeHead(307, { location: `${elsewhere}/?sent=${encodeURIComponent(sent)}` }).end();
  };

/** Starts one on 127.0.0.1. */
export const startHostileServer = async (fault: Fault): Promise<HostileServer> => {
  const strayed: string[] = [];
  let asked = 0;
  const other = createServer((request, response) => {
    strayed.push(request.headers.authorization ?? '');
    response.end('{}');
  });
  const elsewhere = await listening(other);
  const answer = answers(fault, elsewhere);
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  const url = await listening(server);
  return {
    url,
    strayed: () => strayed.filter((header) => header !== ''),
    asked: () => asked,
    stop: async () => {
      await Promise.all([closed(server), closed(other)]);
    },
  };
};
