import { createServer, type Server } from 'node:http';

/** Serves `/metrics` on a port of its own, without a token: whoever reaches the port may read. */
export const serveMetrics = async (host: string, port: number, text: () => string): Promise<Server> => {
  const server = createServer((request, response) => {
    const known = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(known ? text() : '');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return server;
};
