import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before services, each below a path. */
export interface FrontProxy {
  readonly origin: string;
  /** Hands requests below the path to the service at the address; `strips`: without that path. */
  readonly add: (path: string, target: URL, strips: boolean) => void;
  readonly close: () => Promise<void>;
}

export const startProxy = async (): Promise<FrontProxy> => {
  const targets = new Map<string, { readonly target: URL; readonly strips: boolean }>();
  const server = createServer((asked, answer) => {
    const url = asked.url ?? '';
    const [path, found] = [...targets].find(([each]) => url === each || url.startsWith(`${each}/`)) ?? [];
    if (path === undefined || found === undefined) {
      answer.writeHead(404).end('Another program');
      return;
    }
    const { hostname, port } = found.target;
    const stripped = url.slice(path.length);
    const options = {
      hostname,
      port,
      method: asked.method,
      path: found.strips ? (stripped.startsWith('/') ? stripped : `/${stripped}`) : url,
      headers: asked.headers,
      agent: false as const,
    };
    const passed = request(options, (message) => {
      answer.writeHead(message.statusCode ?? 502, message.rawHeaders);
      answer.flushHeaders();
      message.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    add: (path, target, strips) => targets.set(path, { target, strips }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
