import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../http/authentication.js';
import { Problem } from '../http/problem.js';
import type { Routes } from '../http/route.js';
import type { Metrics } from '../observability/metrics.js';
import type { Health } from './health.js';

/** What the operations about the service itself answer from. */
export interface ServiceFacts {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Bearer token for `/metrics`; null: not served here. */
  readonly metricsToken: string | null;
  /** What people may connect; null: nothing. */
  readonly repositoryHost: { readonly name: string; readonly title: string } | null;
  /** Whether there is an administrator. */
  isSetUp(): Promise<boolean>;
  /** The OpenAPI document, serialised; made when it is first asked for. */
  openApi(): string;
  /** The documentation page; likewise. */
  docsPage(): string;
}

/** An answer that never changes: encoded once, and not kept anew for every connection that reads slowly. */
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

export type ServiceOperationId = 'checkAlive' | 'checkReady' | 'readAbout' | 'readMetrics' | 'readOpenApi' | 'readDocs';

/** The operations about the service itself, ready to be put among the other routes. */
export const serviceRoutes = ({
  health,
  metrics,
  metricsToken,
  repositoryHost,
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
