import { randomUUID } from 'node:crypto';
import type { CdServiceEvent, CdSuiteRunEvent } from '@shipworthy/client/contract';

export const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

const context = (type: string, at: number) => ({
  version: '0.4.1',
  id: randomUUID(),
  source: '/ci/acme',
  type: `dev.cdevents.${type}`,
  timestamp: new Date(at).toISOString(),
});

/** A deployment of checkout, as a pipeline says it in CDEvents 0.4. */
export const deployedEvent = (at: number, type = 'service.deployed.0.2.0'): CdServiceEvent => ({
  context: context(type, at),
  subject: {
    id: 'service/checkout',
    content: { environment: { id: 'production' }, artifactId: `pkg:github/acme/checkout@${COMMIT}` },
  },
});

/** A finished test suite of checkout, as a pipeline says it in CDEvents 0.4. */
export const suiteRunEvent = (at: number, customData: object = {}): CdSuiteRunEvent => ({
  context: context('testsuiterun.finished.0.2.0', at),
  subject: { id: 'run/4711', content: { outcome: 'fail', testSuite: { id: 'unit', name: 'Unit tests' } } },
  customData: { app_name: 'checkout', ...customData },
});
