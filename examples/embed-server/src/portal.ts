import { createServer, type Server } from 'node:http';
import { memoryStores } from '@shipworthy/adapters/memory';
import { createShipworthy } from '@shipworthy/server';
import { gatewayAuthentication } from './gateway-authentication.js';
import { enrol } from './organisation.js';

/** A program of the organisation's own that serves Shipworthy below `/api/`, beside pages of its own. */
export interface Portal {
  readonly server: Server;
  readonly teamId: string;
  close(): Promise<void>;
}

/** @param gatewayKey what the gateway in front signs people's names with */
export const createPortal = async (baseUrl: URL, gatewayKey: string, secretKey: Uint8Array): Promise<Portal> => {
  const stores = memoryStores();
  const teamId = await enrol(stores, 'ada@example.org', 'Ada', 'Payments');
  const shipworthy = createShipworthy({
    stores,
    baseUrl,
    secretKey,
    authenticate: gatewayAuthentication(stores, gatewayKey, [teamId]),
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) shipworthy.handler(request, response);
    else response.setHeader('content-type', 'text/plain').end('The portal');
  });
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await shipworthy.close();
  };
  return { server, teamId, close };
};
