import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gatewayHeaders } from './gateway-authentication.js';
import { createPortal } from './portal.js';

/** A port that is free at this moment: the address must be known before the portal is made. */
const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

const port = await freePort();
const baseUrl = new URL(`http://127.0.0.1:${port}`);
const gatewayKey = randomBytes(32).toString('hex');
const portal = await createPortal(baseUrl, gatewayKey, randomBytes(32));
portal.server.listen(port, '127.0.0.1');
await once(portal.server, 'listening');

const show = async (who: string, path: string, headers: Record<string, string> = {}): Promise<void> => {
  const response = await fetch(new URL(path, baseUrl), { headers });
  const body = await response.text();
  const words = body.startsWith('{') ? (JSON.parse(body).detail ?? `team ${JSON.parse(body).data[0]?.name}`) : body;
  console.log(`${who}: ${path} ${response.status} ${words}`);
};

await show('a stranger', '/');
await show('a stranger', '/api/teams');
await show('Ada', '/api/teams', gatewayHeaders(gatewayKey, 'ada@example.org'));
await show('Eve', '/api/teams', gatewayHeaders('a guessed key', 'ada@example.org'));
await portal.close();
