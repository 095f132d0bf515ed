import { type IncomingHttpHeaders, request } from 'node:http';
import { networkFault } from './network-fault.js';
import { openSocket, routeTo, secured, type Trust } from './open-socket.js';
import type { NamedProxy } from './proxy.js';

/** What a server answered; redirects are answers. */
export interface RawAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its beginning. */
  readonly body: string;
}

export interface AskOptions extends Trust {
  readonly headers?: Readonly<Record<string, string>>;
  readonly proxy?: NamedProxy | undefined;
  readonly signal: AbortSignal;
}

/** Nothing that is read here stands further down. */
const MOST = 16_384;

/** Asks a server by GET, on a connection of its own, following no redirect. NetworkFault. */
export const ask = async (url: URL, { headers = {}, proxy, ca, signal }: AskOptions): Promise<RawAnswer> => {
  const route = routeTo(url, proxy);
  const plain = await openSocket(route, signal);
  const socket = url.protocol === 'https:' ? await secured(plain, route, { ca }, signal) : plain;
  try {
    return await new Promise((resolve, reject) => {
      const asking = request({
        host: route.host,
        port: route.port,
        path: url.pathname + url.search,
        headers: { host: url.host, connection: 'close', ...headers },
        createConnection: () => socket,
        signal,
      });
      asking.once('error', reject);
      asking.once('response', (answer) => {
        let body = '';
        const done = () => resolve({ url, status: answer.statusCode ?? 0, headers: answer.headers, body });
        answer.setEncoding('latin1');
        answer.on('data', (chunk: string) => {
          body += chunk;
          if (body.length >= MOST) done();
        });
        answer.once('end', done);
        answer.once('error', reject);
      });
      asking.end();
    });
  } catch (error) {
    const silent = signal.aborted ? { code: 'ETIMEDOUT' } : error;
    throw networkFault(silent, `${route.host}:${route.port}`);
  } finally {
    socket.destroy();
  }
};
