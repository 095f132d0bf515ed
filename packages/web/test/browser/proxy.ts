import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before services, each below a path. */
export interface FrontProxy {
  readonly origin: string;
  /** Hands requests below the path to the service at the address; `strips`: without that path. */
  readonly add: (path: string, target: string, strips: boolean) => void;
  readonly stop: () => void;
}

/** Starts a proxy that answers 404 for what is below none of its paths. */
export const startProxy = async (): Promise<FrontProxy> => {
  const places: { readonly path: string; readonly target: URL; readonly strips: boolean }[] = [];
  const server = createServer((asked, answer) => {
    const { url = '/', method, headers } = asked;
    const place = places.find(({ path }) => url.startsWith(`${path}/`));
    if (place === undefined) {
      answer.writeHead(404).end('Another program');
      return;
    }
    const { hostname, port } = place.target;
    const path = place.strips ? url.slice(place.path.length) : url;
    const passed = request({ hostname, port, method, headers, path }, (message) => {
      answer.writeHead(message.statusCode ?? 502, message.rawHeaders);
      answer.flushHeaders();
      message.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  // As long as the service keeps idle connections itself: the client sends on one that it believes to be open.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (path, target, strips) => void places.push({ path, target: new URL(target), strips }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
