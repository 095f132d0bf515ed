import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parsedUrl } from '@shipworthy/client/contract';
import type { World } from '../world.js';

/** The answer of a server; a redirect is an answer. */
export interface RawAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly body: string;
}

interface AskOptions extends Trust {
  readonly headers?: Readonly<Record<string, string>>;
  readonly proxy?: NamedProxy | undefined;
  readonly signal: AbortSignal;
}

/** The most that is read of an answer, in bytes; everything needed comes earlier. */
const MOST = 16_384;

/** Asks a server by GET, on a connection of its own, following no redirect. Throws NetworkFault. */
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

/** Where a connection goes, and through which proxy. */
export interface NetworkRoute {
  readonly host: string;
  readonly port: number;
  readonly proxy: NamedProxy | undefined;
}

export const routeTo = (url: URL, proxy: NamedProxy | undefined): NetworkRoute => ({
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

/** Which authorities TLS trusts. */
interface Trust {
  /** Certificates in PEM that are trusted instead of Node's own; undefined: Node's own. */
  readonly ca?: readonly string[] | undefined;
}

/** Starts TLS on a connection. Throws NetworkFault that names what is wrong with the certificate. */
export const secured = (
  socket: Socket,
  { host, port }: NetworkRoute,
  trust: Trust,
  signal: AbortSignal,
): Promise<Socket> => {
  const name = isIP(host) ? {} : { servername: host };
  const ca = trust.ca === undefined ? {} : { ca: [...trust.ca] };
  return opened(connectTls({ socket, host, ...name, ...ca }), 'secureConnect', `${host}:${port}`, signal);
};

const throughProxy = async (
  { host, port }: NetworkRoute,
  { url, name }: NamedProxy,
  signal: AbortSignal,
): Promise<Socket> => {
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
      const what = status === 407 ? 'asks for a sign-in' : `does not let through to ${path}`;
      reject(new NetworkFault(kind, `The proxy ${target} of ${name} ${what} (${status}).`));
    };
    asking.once('response', ({ statusCode = 0 }) => refused(statusCode));
    asking.once('connect', ({ statusCode = 0 }) => (statusCode === 200 ? resolve(socket) : refused(statusCode)));
    asking.end();
  });
};

/** Opens a TCP connection, through the proxy where there is one. Throws NetworkFault. */
export const openSocket = (route: NetworkRoute, signal: AbortSignal): Promise<Socket> =>
  route.proxy === undefined
    ? opened(connect(route.port, route.host), 'connect', `${route.host}:${route.port}`, signal)
    : throughProxy(route, route.proxy, signal);

/** A proxy and the variable that names it. */
export interface NamedProxy {
  readonly url: URL;
  readonly name: string;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443');

/** Whether NO_PROXY exempts the address from the proxy. Entries: `*`, a name with its subdomains, or `name:port`. */
export const isExempt = (url: URL, noProxy: string): boolean =>
  noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      if (port !== undefined && port !== portOf(url)) return false;
      const host = url.hostname.toLowerCase();
      return host === name || host.endsWith(`.${name}`);
    });

/** The first of the variables that is set. */
const firstSet = (env: World['env'], names: readonly string[]) => {
  const name = names.find((one) => env[one]);
  return name === undefined ? undefined : { name, value: env[name] ?? '' };
};

/** Reads a proxy's address from the value of a variable. Throws NetworkFault when it is no such address. */
export const readProxy = (name: string, value: string): NamedProxy => {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = parsedUrl(text);
  if (url === undefined) throw new NetworkFault('proxy', `${name} does not hold the address of a proxy.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkFault('proxy', `${name} names a proxy of another kind than http (${url.protocol}).`);
  return { url, name };
};

/** The proxy the environment names for the address; undefined: none. Throws NetworkFault when it names no proxy. */
export const proxyFor = (
  url: URL,
  env: World['env'],
  names: readonly string[] = url.protocol === 'http:'
    ? ['http_proxy', 'HTTP_PROXY']
    : ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'],
): NamedProxy | undefined => {
  const found = firstSet(env, names);
  if (found === undefined || isExempt(url, firstSet(env, ['no_proxy', 'NO_PROXY'])?.value ?? '')) return undefined;
  return readProxy(found.name, found.value);
};

export type NetworkFaultKind =
  | 'name'
  | 'no_resolver'
  | 'refused'
  | 'reset'
  | 'silent'
  | 'unreachable'
  | 'proxy'
  | 'proxy_sign_in'
  | 'untrusted'
  | 'self_signed'
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_name'
  | 'not_tls'
  | 'other';

export class NetworkFault extends Error {
  override readonly name = 'NetworkFault';
  constructor(
    readonly kind: NetworkFaultKind,
    message: string,
  ) {
    super(message);
  }
}

const KINDS: Readonly<Record<string, NetworkFaultKind>> = {
  ENOTFOUND: 'name',
  EAI_AGAIN: 'no_resolver',
  EAI_FAIL: 'no_resolver',
  ENODATA: 'name',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_name',
  EPROTO: 'not_tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
};

/** Faults that a certificate causes. */
export const CERTIFICATE_FAULTS: ReadonlySet<NetworkFaultKind> = new Set([
  'untrusted',
  'self_signed',
  'expired',
  'not_yet_valid',
  'wrong_name',
]);

/** Makes a NetworkFault of the platform's error for a failed connection; `target` is such as `forge.example:443`. */
export const networkFault = (error: unknown, target: string): NetworkFault => {
  if (error instanceof NetworkFault) return error;
  const { code = '', message = String(error) } = error as { readonly code?: string; readonly message?: string };
  const kind = KINDS[code] ?? (code.startsWith('ERR_SSL') ? 'not_tls' : 'other');
  const what: Readonly<Partial<Record<NetworkFaultKind, string>>> = {
    name: `The name in ${target} cannot be resolved`,
    no_resolver: `The name in ${target} cannot be looked up now`,
    refused: `${target} refuses connections`,
    reset: `${target} ended the connection`,
    silent: `${target} does not answer`,
    unreachable: `There is no way to ${target} from here`,
    self_signed: `The certificate of ${target} is self-signed`,
    untrusted: `The certificate of ${target} comes from an authority that is not trusted here`,
    expired: `The certificate of ${target} has expired`,
    not_yet_valid: `The certificate of ${target} is not valid yet`,
    wrong_name: `The certificate of ${target} is made out for another name`,
    not_tls: `${target} answers, but not by TLS`,
  };
  return new NetworkFault(kind, `${what[kind] ?? `${target}: ${message}`} (${code || 'no code'}).`);
};
