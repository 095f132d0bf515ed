import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { operations } from '@shipworthy/client/contract';
import type { Ports, Secrets, Stores } from '@shipworthy/domain';
import { createApp } from '../../src/app.js';
import { createFindPrincipal } from '../../src/http/find-principal.js';
import { createMachinery } from '../../src/http/machinery.js';
import { createLog } from '../../src/observability/log.js';
import { createMetrics } from '../../src/observability/metrics.js';
import { createReportCache } from '../../src/readiness/report-cache.js';
import { allRoutes } from '../../src/routes/all-routes.js';
import { type Caller, createCaller } from './caller.js';
import { createTestClock, type TestClock } from './test-clock.js';
import type { Person } from './world.js';

/** A running service with the ports it stands on. */
export interface Service {
  readonly baseUrl: string;
  readonly ports: Ports;
  readonly clock: TestClock;
  /** Nobody. */
  readonly anonymous: Caller;
  /** A caller with an API key. */
  withKey(key: string): Caller;
  /** The browser in which the person is signed in, on a page of the service itself. */
  signedIn(person: Person): Caller;
  close(): Promise<void>;
}

export interface StoresToServe {
  readonly stores: Stores;
  close(): Promise<void>;
}

const testSecrets: Secrets = {
  newApiKey: () => `swk_${randomBytes(18).toString('hex')}`,
  newToken: () => randomBytes(32).toString('base64url'),
  hash: (secret) => createHash('sha256').update(secret).digest('hex'),
  hashPassword: async (password) => password,
  verifyPassword: async (password, stored) => password === stored,
};

const idsBy = (clock: TestClock) => {
  let count = 0;
  return () => {
    count += 1;
    const time = clock.read().toString(16).padStart(12, '0');
    const tail = count.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
  };
};

/** Starts the service on the stores, on a free port of the loopback; its clock stands still unless told. */
export const startService = async ({ stores, close }: StoresToServe): Promise<Service> => {
  const clock = createTestClock();
  const newId = idsBy(clock);
  const read = lookups(stores);
  const ports: Ports = {
    stores,
    reports: reportQueue(stores.reports),
    lookups: read,
    clock: clock.read,
    newId,
    secrets: testSecrets,
  };
  const machinery = createMachinery({
    ports,
    findPrincipal: createFindPrincipal(ports, () => true),
    authenticate: null,
    baseUrl: new URL('http://127.0.0.1'),
    requestsPerMinute: null,
    secretKey: randomBytes(32),
    draining: () => false,
    monotonic: () => performance.now(),
  });
  const routes = allRoutes({ reports: createReportCache(read, clock.read) });
  const table = Object.fromEntries(Object.entries(operations).filter(([id]) => id in routes)) as never;
  const log = createLog('error', async (text) => void process.stderr.write(text), clock.read);
  const server: Server = await new Promise((resolve) => {
    const app = createApp({
      table,
      routes: routes as never,
      pages: {},
      log,
      metrics: createMetrics(),
      monotonic: () => performance.now(),
      newId,
      trustedProxies: 0,
      machinery,
    });
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    ports,
    clock,
    anonymous: createCaller(baseUrl, {}),
    withKey: (key) => createCaller(baseUrl, { authorization: `Bearer ${key}` }),
    signedIn: ({ secret }) =>
      createCaller(baseUrl, { cookie: `shipworthy_session=${secret}`, origin: 'http://127.0.0.1' }),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      machinery.work.stop();
      await close();
    },
  };
};
