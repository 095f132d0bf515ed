import { pathAt } from './contract/path.js';

/** How to reach a service. */
export interface ClientOptions {
  /** Absolute http or https address, a path in front of `/api` included. */
  readonly baseUrl: string;
  /** Sent as bearer token to that origin only; without it the browser's session counts. */
  readonly apiKey?: string | undefined;
  /** Allows the key over plain http to another machine. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Time for a whole call in milliseconds, repetitions and waits included. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that may safely be repeated is sent again. Default 3. */
  readonly retries?: number | undefined;
  /** Name of the repository host the service is set up with, part of its paths. Default `github`. */
  readonly repositoryHost?: string | undefined;
  /** Sent as `User-Agent`. */
  readonly userAgent?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits so many milliseconds, or less when the signal is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** A number from 0 (included) to 1 (excluded); spreads the waits. */
  readonly random?: (() => number) | undefined;
}

/** Options checked and filled in. */
export interface Settings {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly repositoryHost: string;
  readonly credentials: RequestInit['credentials'];
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Takes the API key out of a text. */
  readonly hide: (text: string) => string;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const KEY = /^[\w.~+/-]+=*$/;

/** Parses the program's own address. Its host needs no limit of length, unlike in addresses that others send. */
const urlOf = (baseUrl: string): URL | undefined => {
  try {
    return new URL(baseUrl);
  } catch {
    return undefined;
  }
};

const checkBase = (baseUrl: string): URL => {
  const url = urlOf(baseUrl);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError('baseUrl must be an absolute http or https address.');
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must hold neither user, password, query nor fragment.');
  }
  return url;
};

const checkKey = (apiKey: string | undefined, url: URL, insecure: boolean): void => {
  if (apiKey === undefined) return;
  if (!KEY.test(apiKey)) throw new TypeError('apiKey must be a bearer token: it is empty or holds other characters.');
  if (url.protocol === 'http:' && !insecure && !LOOPBACK.test(url.hostname)) {
    throw new TypeError(`The API key is not sent over plain http to ${url.host}; use https, or set allowInsecureHttp.`);
  }
};

/** Returns the number if it is `least` or more and fits a timer. @throws TypeError for any other */
export const checkNumber = (name: string, value: number, least: number): number => {
  if (!(value >= least && value <= 2_147_483_647)) throw new TypeError(`${name} must be a number from ${least} on.`);
  return value;
};

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/**
 * Checks the options and returns the settings. Throws a TypeError, never naming the key, for options that cannot work or
 * would give the key away.
 */
export const checkedSettings = (options: ClientOptions): Settings => {
  const { apiKey, userAgent } = options;
  const url = checkBase(options.baseUrl);
  checkKey(apiKey, url, options.allowInsecureHttp ?? false);
  const repositoryHost = options.repositoryHost ?? 'github';
  pathAt('/', repositoryHost);
  const own = options.fetch;
  return {
    base: url.origin + url.pathname.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    },
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? 10_000, 1),
    retries: checkNumber('retries', options.retries ?? 3, 0),
    repositoryHost,
    // With a cookie sent beside it, a wrong key would go unnoticed: the session would count instead.
    credentials: apiKey === undefined ? undefined : 'omit',
    // Looked up at each call: test tools replace the global one.
    fetch: own ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    hide: (text) => (apiKey === undefined ? text : text.replaceAll(apiKey, '[API key]')),
  };
};
