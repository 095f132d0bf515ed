import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Workshop } from '../process/workshop.js';

/** Serves one page as it is from memory; answers its address. */
export const serveStillPage = async (workshop: Workshop, html: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  workshop.atClose(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
