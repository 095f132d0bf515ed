import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { pause } from '@shipworthy/adapters/clock';
import { isWellFormedApiKey, secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender } from '@shipworthy/adapters/hook-sender';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Operation, operations } from '@shipworthy/client/contract';
import type { StoresWithFeed } from '@shipworthy/domain';
import { inOnePiece, type Ports } from '@shipworthy/domain/ports';
import { createApp } from '../../src/app.js';
import { createFindPrincipal } from '../../src/http/authentication.js';
import { createRequestServices, type RequestServicesOptions } from '../../src/http/request-services.js';
import type { Routes } from '../../src/http/route.js';
import { createLog, type LogLevel } from '../../src/observability/log.js';
import { createMetrics } from '../../src/observability/metrics.js';
import type { FixedPage } from '../../src/pages.js';
import type { ApplicationFiles } from '../../src/web-files.js';
import { CHEAP } from './service.js';
import { createTestClock, type TestClock } from './test-clock.js';
import { createWorld, type Person, type World } from './world.js';

/** The steps of requests on a socket, with routes of the test's own. */
export interface BareService {
  readonly url: string;
  readonly ports: Ports;
  readonly world: World;
  readonly clock: TestClock;
  /** What was logged so far, line by line. */
  logged(): Promise<readonly Record<string, unknown>[]>;
  metricsText(): string;
  close(): Promise<void>;
}

interface BareOptions extends Partial<RequestServicesOptions> {
  readonly routes?: Partial<Routes>;
  readonly table?: Readonly<Record<string, Operation>>;
  readonly pages?: Readonly<Record<string, FixedPage>>;
  readonly application?: ApplicationFiles;
  readonly trustedProxies?: number;
  readonly level?: LogLevel;
  /** Called at the end of every request that may have stored something. */
  readonly stored?: () => void;
  /** The program that hands requests over. */
  readonly around?: (handler: RequestListener) => RequestListener;
}

/** Ports on these stores, which are new ones in memory unless given. */
export const portsOn = (clock: TestClock, stores: StoresWithFeed = memoryStores()): Ports => {
  return {
    stores,
    feed: stores.feed,
    hookSender: hookSender({ secretKey: new Uint8Array(32) }),
    reports: reportQueue(stores.reports),
    lookups: lookups(stores),
    receipts: { notCounted: () => undefined },
    deliveryLog: { tried: () => undefined, ended: () => undefined, disabled: () => undefined },
    clock: clock.read,
    pause,
    slices: inOnePiece,
    newId: uuidv7(clock.read),
    secrets: secrets({ cost: CHEAP }),
    verdicts: verdictSigner({ secretKey: new Uint8Array(32) }),
    repositoryHost: null,
  };
};

/** Every operation has a route; those the test does not name fail. */
const complete = (table: Readonly<Record<string, Operation>>, routes: Partial<Routes>): Routes => {
  const absent = async () => {
    throw new Error('no route');
  };
  return { ...Object.fromEntries(Object.keys(table).map((id) => [id, absent])), ...routes } as unknown as Routes;
};

export const startBare = async (options: BareOptions = {}): Promise<BareService> => {
  const clock = createTestClock();
  const ports = options.ports ?? portsOn(clock);
  const lines: string[] = [];
  const log = createLog(options.level ?? 'info', async (text) => void lines.push(text), clock.read);
  const metrics = createMetrics();
  const services = createRequestServices({
    ports,
    findPrincipal: createFindPrincipal(ports, isWellFormedApiKey),
    authenticate: null,
    baseUrl: new URL('http://127.0.0.1:4400'),
    requestsPerMinute: null,
    secretKey: randomBytes(32),
    draining: () => false,
    monotonic: () => performance.now(),
    ...options,
  });
  const table = options.table ?? operations;
  const app = createApp({
    table,
    routes: complete(table, options.routes ?? {}) as never,
    services,
    pages: options.pages ?? {},
    application: options.application ?? null,
    log,
    metrics,
    monotonic: () => performance.now(),
    newId: ports.newId,
    trustedProxies: options.trustedProxies ?? 0,
    corsOrigins: [],
    stored: options.stored ?? (() => undefined),
  });
  const server: Server = createServer(options.around?.(app.callback()) ?? app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    ports,
    world: createWorld(ports),
    clock,
    logged: async () => {
      await log.flush();
      return lines.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line));
    },
    metricsText: metrics.text,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      services.work.stop();
      metrics.stop();
    },
  };
};

/** Headers of a browser in which the person is signed in, on a page of the service. */
export const cookieOf = ({ secret }: Person): Record<string, string> => ({
  cookie: `shipworthy_session=${secret}`,
  origin: 'http://127.0.0.1:4400',
});
