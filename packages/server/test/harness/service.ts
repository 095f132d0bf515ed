import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { pause } from '@shipworthy/adapters/clock';
import { secrets, uuidv7, verdictSigner } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { hookSender as realSender } from '@shipworthy/adapters/hook-sender';
import { operationsOf } from '@shipworthy/client/contract';
import { type ConfiguredHost, inOnePiece, type Ports, type WebhookSender } from '@shipworthy/domain/ports';
import { createShipworthyOn } from '../../src/composition/service.js';
import { createLog, type Log } from '../../src/observability/log.js';
import { allRoutes } from '../../src/routes/index.js';
import { type Caller, createCaller } from './caller.js';
import type { StoresToServe } from './openings.js';
import { createTestClock, type TestClock } from './test-clock.js';
import type { Person } from './world.js';

/** A running service and its ports. */
export interface Service {
  readonly baseUrl: string;
  readonly ports: Ports;
  readonly clock: TestClock;
  /** A caller without credential. */
  readonly anonymous: Caller;
  /** A caller with an API key. */
  withKey(key: string): Caller;
  /** The browser in which the person is signed in, on a page of the service itself. */
  signedIn(person: Pick<Person, 'secret'>): Caller;
  close(): Promise<void>;
}

/** What a fresh service is set up with. */
export const SETUP_TOKEN = 'k3J9-QpX2';
/** What `/metrics` takes. */
export const METRICS_TOKEN = 'metrics-for-tests';

/** What a password's hash costs in tests. */
export const CHEAP = { ln: 1, r: 1, p: 1 };

const errorsOnly = createLog('error', async (text) => void process.stderr.write(text), Date.now);

/** Tests leave the network alone. */
const nowhere = (): WebhookSender =>
  realSender({
    secretKey: randomBytes(32),
    resolve: () => Promise.reject(Object.assign(new Error('nowhere'), { code: 'ENOTFOUND' })),
  });

export interface ServiceOptions {
  readonly log?: Log;
  /** None unless given. */
  readonly repositoryHost?: ConfiguredHost;
  /** Finds no receiver anywhere unless given. */
  readonly hookSender?: WebhookSender;
  /** Begins at `NOON` unless given; only `pass` moves it. */
  readonly clock?: TestClock;
}

/** Starts the service on the stores, on a free port of the loopback. */
export const startService = async (
  { stores, close }: StoresToServe,
  { log = errorsOnly, repositoryHost, hookSender = nowhere(), clock = createTestClock() }: ServiceOptions = {},
): Promise<Service> => {
  const secretKey = randomBytes(32);
  const outside = { clock: clock.read, newId: uuidv7(clock.read), secrets: secrets({ cost: CHEAP }), hookSender };
  const shipworthy = createShipworthyOn(allRoutes)({
    ...outside,
    stores,
    closeStores: close,
    secretKey,
    setupToken: SETUP_TOKEN,
    metricsToken: METRICS_TOKEN,
    // Lets a test come from an address of its choice, by X-Forwarded-For.
    trustedProxies: 1,
    requestsPerMinute: null,
    log,
    ...(repositoryHost === undefined ? {} : { repositoryHost }),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const table = operationsOf(repositoryHost?.name ?? 'github');
  const callerWith = (credentials: Readonly<Record<string, string>>) => createCaller(origin, agent, credentials, table);
  const { origin } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
  return {
    baseUrl: origin,
    ports: {
      ...outside,
      pause,
      slices: inOnePiece,
      stores,
      feed: stores.feed,
      lookups: lookups(stores),
      receipts: { notCounted: () => undefined },
      deliveryLog: { tried: () => undefined, ended: () => undefined, disabled: () => undefined },
      reports: reportQueue(stores.reports),
      verdicts: verdictSigner({ secretKey }),
      repositoryHost: repositoryHost ?? null,
    },
    clock,
    anonymous: callerWith({}),
    withKey: (key) => callerWith({ authorization: `Bearer ${key}` }),
    signedIn: ({ secret }) => callerWith({ cookie: `shipworthy_session=${secret}`, origin }),
    close: () => {
      // A service waits a while for connections that are still open.
      agent.destroy();
      return shipworthy.close();
    },
  };
};
