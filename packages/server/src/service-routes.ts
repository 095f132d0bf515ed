import { createHash, timingSafeEqual } from 'node:crypto';
import { type RunTime, runTime } from '@shipworthy/adapters/clock';
import type { OperationGroup } from '@shipworthy/client/contract';
import type { Stores } from '@shipworthy/domain';
import { unauthenticated } from './http/authentication.js';
import { Problem } from './http/problem.js';
import type { Routes } from './http/route.js';
import type { Metrics } from './observability/metrics.js';

/** The values from which the operations about the service itself answer. */
export interface ServiceFacts {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Bearer token for `/metrics`; null: not served here. */
  readonly metricsToken: string | null;
  /** The host people may connect; null: none. */
  readonly repositoryHost: { readonly name: string; readonly title: string } | null;
  /** The groups of operations that the service has no stores for. */
  readonly notOffered: readonly OperationGroup[];
  /** Whether there is an administrator. */
  isSetUp(): Promise<boolean>;
  /** The OpenAPI document, serialised; made when it is first asked for. */
  openApi(): string;
  /** The documentation page as HTML; made when it is first asked for. */
  docsPage(): string;
}

/** Creates a route whose answer never changes, encoded once, so that connections that read slowly share its bytes. */
const lasting = (make: () => string) => {
  let made: { readonly text: string; readonly bytes: Buffer } | undefined;
  return async () => {
    if (made === undefined) {
      const text = make();
      made = { text, bytes: Buffer.from(text) };
    }
    return { status: 200, ...made } as const;
  };
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type ServiceOperationId = 'checkAlive' | 'checkReady' | 'readAbout' | 'readMetrics' | 'readOpenApi' | 'readDocs';

/** The routes of the operations about the service itself. */
export const serviceRoutes = ({
  health,
  metrics,
  metricsToken,
  repositoryHost,
  notOffered,
  isSetUp,
  openApi,
  docsPage,
}: ServiceFacts): Pick<Routes, ServiceOperationId> => ({
  checkAlive: async () => ({ status: 200, body: { status: 'ok' } }),
  checkReady: async () => {
    await health.check();
    return { status: 200, body: { status: 'ok' } };
  },
  readAbout: async () => ({
    status: 200,
    body: {
      data: {
        set_up: await isSetUp(),
        repository_host: repositoryHost && { name: repositoryHost.name, title: repositoryHost.title },
        not_offered: notOffered,
      },
    },
  }),
  readMetrics: async (_, { bearer }) => {
    if (metricsToken === null) throw new Problem('not-found', 'Metrics are not served on this port.');
    if (bearer === null || !timingSafeEqual(digest(bearer), digest(metricsToken)))
      throw unauthenticated('Send the metrics token as "Authorization: Bearer".');
    return { status: 200, text: metrics.text() };
  },
  readOpenApi: lasting(openApi),
  readDocs: lasting(docsPage),
});

/** Whether the service can answer; `livez` never asks. */
export interface Health {
  /** Makes the service report that it is not ready: it finishes what it has and takes no more. */
  drain(): void;
  readonly draining: boolean;
  /** @throws Problem `unavailable` that says what is missing */
  check(): Promise<void>;
}

/** Asks the store; rejects when it cannot answer or its migrations are not done. */
export type CheckStores = () => Promise<void>;

/** How long the stores may take to answer, in milliseconds of run time. */
const CHECK_FOR_MS = 2000;

/** The stores are asked this often at most, in milliseconds, however often `/readyz` is called. */
const ASK_EVERY_MS = 1000;

const late = (): never => {
  throw new Error('late');
};

/** The cheapest question any store can answer, for stores that bring no check of their own. */
export const askStores =
  (stores: Pick<Stores, 'users'>): CheckStores =>
  async () => {
    await stores.users.any();
  };

/** The clock of the health check; this process's unless given. */
interface HealthTime {
  readonly within?: RunTime['within'];
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

export const createHealth = (
  checkStores: CheckStores,
  { within = runTime.within, now = () => performance.now() }: HealthTime = {},
): Health => {
  let draining = false;
  let asked: { readonly at: number; readonly answer: Promise<void> } | undefined;
  const ask = (): Promise<void> => {
    if (asked === undefined || now() - asked.at >= ASK_EVERY_MS)
      asked = { at: now(), answer: within(CHECK_FOR_MS, checkStores(), late) };
    return asked.answer;
  };
  return {
    get draining() {
      return draining;
    },
    drain: () => {
      draining = true;
    },
    async check() {
      if (draining) throw new Problem('unavailable', 'The service is shutting down.', { retryAfter: 5 });
      try {
        await ask();
      } catch {
        throw new Problem('unavailable', 'The database does not answer or its migrations are not done.');
      }
    },
  };
};
