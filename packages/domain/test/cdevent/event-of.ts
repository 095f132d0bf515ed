import type { ServiceEvent, SuiteRunEvent } from '../../src/cdevent.js';

export const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

const said = {
  source: '/ci/acme',
  subjectSource: null,
  at: Date.UTC(2026, 0, 5, 12),
  external: { id: 'cdevents:/ci/acme#1', fingerprint: 'f' },
  formerName: null,
  appName: null,
  projectId: null,
  commitSha: null,
};

/** Shop was deployed to production. */
export const serviceEvent = (over: Partial<ServiceEvent> = {}): ServiceEvent => ({
  ...said,
  kind: 'service.deployed',
  subjectId: 'service/Shop',
  environment: 'production',
  artifactId: `pkg:github/acme/shop@${COMMIT}`,
  ...over,
});

/** The unit tests of Shop passed. */
export const suiteRunEvent = (over: Partial<SuiteRunEvent> = {}): SuiteRunEvent => ({
  ...said,
  kind: 'testsuiterun.finished',
  appName: 'Shop',
  outcome: 'pass',
  suite: 'unit',
  suiteId: 'unit',
  counts: null,
  ...over,
});
