import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { NetworkFault, networkFault } from './network-fault.js';
import type { NamedProxy } from './proxy.js';

/** Where a connection goes, and through what. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly proxy: NamedProxy | undefined;
}

/** The way to an address. */
export const routeTo = (url: URL, proxy: NamedProxy | undefined): Route => ({
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: Number(url.port || (url.protocol === 'http:' ? 80 : 443)),
  proxy,
});

const opened = (socket: Socket, event: 'connect' | 'secureConnect', target: string, signal: AbortSignal) =>
  new Promise<Socket>((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(networkFault(error, target));
    };
    const abort = () => fail(new NetworkFault('silent', `${target} does not answer.`));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', fail);
    socket.once('close', () => fail(new NetworkFault('reset', `${target} ended the connection.`)));
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      resolve(socket);
    });
  });

/** What TLS is checked against, beside what Node itself trusts. */
export interface Trust {
  /** Certificates in PEM that are trusted instead of Node's own. */
  readonly ca?: readonly string[] | undefined;
}

/** Puts TLS on a connection. NetworkFault naming what is wrong with the certificate. */
export const secured = (socket: Socket, { host, port }: Route, trust: Trust, signal: AbortSignal): Promise<Socket> => {
  const name = isIP(host) ? {} : { servername: host };
  const ca = trust.ca === undefined ? {} : { ca: [...trust.ca] };
  return opened(connectTls({ socket, host, ...name, ...ca }), 'secureConnect', `${host}:${port}`, signal);
};

const throughProxy = async ({ host, port }: Route, { url, name }: NamedProxy, signal: AbortSignal): Promise<Socket> => {
  const way = routeTo(url, undefined);
  const target = `${way.host}:${way.port}`;
  const plain = await opened(connect(way.port, way.host), 'connect', target, signal);
  const socket = url.protocol === 'https:' ? await secured(plain, way, {}, signal) : plain;
  const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const signedIn =
    userinfo === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(userinfo).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asking = request({
      method: 'CONNECT',
      path,
      headers: { host: path, ...signedIn },
      createConnection: () => socket,
      signal,
    });
    asking.once('error', (error) => reject(networkFault(error, target)));
    const refused = (status: number) => {
      socket.destroy();
      const kind = status === 407 ? 'proxy_sign_in' : 'proxy';
      const what = status === 407 ? 'wants somebody to sign in' : `does not let through to ${path}`;
      reject(new NetworkFault(kind, `The proxy ${target} of ${name} ${what} (${status}).`));
    };
    asking.once('response', ({ statusCode = 0 }) => refused(statusCode));
    asking.once('connect', ({ statusCode = 0 }) => (statusCode === 200 ? resolve(socket) : refused(statusCode)));
    asking.end();
  });
};

/** A TCP connection, through the proxy where there is one. NetworkFault. */
export const openSocket = (route: Route, signal: AbortSignal): Promise<Socket> =>
  route.proxy === undefined
    ? opened(connect(route.port, route.host), 'connect', `${route.host}:${route.port}`, signal)
    : throughProxy(route, route.proxy, signal);
