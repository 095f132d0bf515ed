import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, endBy, freePort, runToEnd, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';

const START_MS = 60_000;
const ASK_EVERY_MS = 50;
const ASK_OFTEN_MS = 5;

/** A Shipworthy server that runs as a process of its own, as `npm start` runs it. */
export interface RunningServer {
  readonly port: number;
  readonly setupToken: string;
  /** The id of its process. */
  readonly pid: number;
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

const untilReady = async (port: number, { process: child, lastWords }: Child, askEveryMs: number): Promise<void> => {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline; await pause(askEveryMs)) {
    if (child.exitCode !== null) throw new Error(`Shipworthy ended at its start. ${lastWords()}`);
    if (await isReady(port)) return;
  }
  throw new Error(`Shipworthy was not ready within ${START_MS / 1_000} s. ${lastWords()}`);
};

const program = join(dirname(fileURLToPath(import.meta.resolve('@shipworthy/server'))), 'main.js');

/** A server that may be ended and started again: its port, its secrets and its database stay the same. */
export interface StandingServer {
  readonly port: number;
  readonly setupToken: string;
  /** The id of its present process; 0 while there is none. */
  pid(): number;
  /** Starts the server and waits until it is ready; returns the milliseconds until then. */
  start(askEveryMs?: number): Promise<number>;
  /** Ends the server by a signal and waits until it is gone; returns its exit code, null when a signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Carries out a command of the server's program with the same settings. Rejects when it ends with another code than 0. */
  command(...words: readonly string[]): Promise<void>;
  /** Starts a command of the server's program and does not wait for it. */
  begin(...words: readonly string[]): Child;
}

/**
 * A server on a database with the limit on requests switched off, which is not started yet.
 * @param settings further environment variables
 */
export const standingServer = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StandingServer> => {
  const port = await freePort();
  const setupToken = randomBytes(12).toString('hex');
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SHIPWORTHY_DATA_DIR: workshop.path('data'),
    SHIPWORTHY_BASE_URL: `http://127.0.0.1:${port}`,
    SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64'),
    SHIPWORTHY_SETUP_TOKEN: setupToken,
    SHIPWORTHY_RATE_LIMIT: 'off',
    ...settings,
  };
  let child: Child | undefined;
  return {
    port,
    setupToken,
    pid: () => child?.process.pid ?? 0,
    start: async (askEveryMs = ASK_EVERY_MS) => {
      const begin = performance.now();
      child = startChild(workshop, { program, args: ['start'], env });
      await untilReady(port, child, askEveryMs);
      return performance.now() - begin;
    },
    end: async (signal) => {
      const ending = child?.process;
      child = undefined;
      return ending === undefined ? null : endBy(ending, signal);
    },
    command: (...words) => runToEnd(workshop, { program, args: words, env }),
    begin: (...words) => startChild(workshop, { program, args: words, env }),
  };
};

/**
 * Starts the built server on an empty database with the limit on requests switched off, and waits until it is ready.
 * @param settings further environment variables
 */
export const startShipworthy = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> => {
  const server = await standingServer(workshop, databaseUrl, settings);
  await server.command('migrate');
  await server.start();
  return { port: server.port, setupToken: server.setupToken, pid: server.pid() };
};

/** Starts a server on a database, empty or not; returns the milliseconds until it was ready, and its process id. */
export const timeStart = async (
  workshop: Workshop,
  databaseUrl: string,
): Promise<{ readonly milliseconds: number; readonly pid: number }> => {
  const server = await standingServer(workshop, databaseUrl);
  return { milliseconds: await server.start(ASK_OFTEN_MS), pid: server.pid() };
};

type Json = Readonly<Record<string, unknown>>;

/** A person with a browser session, who sets up what is measured. Methods return `data` of the body; any status but 2xx throws. */
export interface SignedInPerson {
  get<Data = Json>(path: string): Promise<Data>;
  post<Data = Json>(path: string, body: Json | readonly Json[]): Promise<Data>;
  put<Data = Json>(path: string, body: Json): Promise<Data>;
  /** The cookies of this person's browser. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** Opens any address and follows redirects as a browser does; the session's cookies are sent to the server alone. */
  visit(address: string): Promise<void>;
}

const MOST_REDIRECTS = 10;

const answered = async <Data>(what: string, response: Response): Promise<Data> => {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} was answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
};

const visitWith =
  (base: string, cookie: string) =>
  async (address: string): Promise<void> => {
    let url = new URL(address);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const headers = url.origin === base ? { cookie } : {};
      const response = await fetch(url, { redirect: 'manual', headers });
      const text = await response.text();
      if (response.ok) return;
      const to = response.headers.get('location');
      if (to === null) throw new Error(`${url.pathname} was answered ${response.status}: ${text}`);
      url = new URL(to, url);
    }
    throw new Error(`${address} leads in circles.`);
  };

/** Sets the server up with its first administrator and stays signed in. */
export const firstPerson = async ({ port, setupToken }: RunningServer): Promise<SignedInPerson> => {
  const base = `http://127.0.0.1:${port}`;
  const send = (method: string, path: string, body: Json | readonly Json[] | null, cookie: string): Promise<Response> =>
    fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: base, ...(cookie === '' ? {} : { cookie }) },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  const account = { email: 'ada@example.org', name: 'Ada', password: 'measured twice, cut once' };
  const setUp = await send('POST', '/api/setup', { setup_token: setupToken, ...account }, '');
  await answered('POST /api/setup', setUp.clone());
  const cookie = setUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const asked = async <Data>(method: string, path: string, body: Json | readonly Json[] | null): Promise<Data> =>
    answered(`${method} ${path}`, await send(method, path, body, cookie));
  return {
    get: (path) => asked('GET', path, null),
    post: (path, body) => asked('POST', path, body),
    put: (path, body) => asked('PUT', path, body),
    cookies: cookie.split('; ').map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
    })),
    visit: visitWith(base, cookie),
  };
};
