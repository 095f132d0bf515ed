import { uuidv7 } from '@shipworthy/adapters/crypto';
import type { Deployment, Remembered, TestRun } from '@shipworthy/domain';
import type { Place } from './questions.js';

const newId = uuidv7(Date.now);

/** A deployment that has just begun in the crowded project. */
export const newDeployment = ({ projectId, now }: Place, over: Partial<Deployment> = {}): Deployment => ({
  id: newId(),
  projectId,
  appName: 'checkout',
  environment: 'production',
  commitSha: '4f2a9c1',
  version: null,
  deployedBy: null,
  status: 'started',
  isReturn: false,
  url: null,
  startedAt: now,
  finishedAt: null,
  durationSeconds: null,
  createdAt: now,
  external: null,
  ...over,
});

/** A test run of its active release. */
export const newTestRun = ({ projectId, releaseId, now }: Place): TestRun => ({
  id: newId(),
  projectId,
  releaseId,
  suite: 'suite 2',
  total: 10,
  passed: 9,
  failed: 1,
  skipped: null,
  commitSha: null,
  url: null,
  durationSeconds: null,
  ranAt: now,
  recordedAt: now,
  recordedBy: 'ci',
  external: null,
  setAside: null,
});

/** What is remembered of a report that was sent with that key. */
export const remembered = (key: string, { now }: Place): Remembered => ({
  request: { caller: 'key', operation: 'POST /api/deployments', key, fingerprint: 'f', at: now },
  reply: { status: 201, location: null, body: '{}' },
});
