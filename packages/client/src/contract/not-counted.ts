import { Deployment } from './deployment.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT } from './path.js';
import { type FromSchema, pageOf, pageQuery, record, type Schema } from './schema.js';
import { TestRun } from './test-run.js';

/** Why a record counts for no release. */
const reasonOf = <const R extends string>(...reasons: readonly R[]) =>
  ({ type: 'string', enum: reasons, description: 'Why it counts for no release.' }) as const satisfies Schema;

const DeploymentNotCounted = record({
  title: 'DeploymentNotCounted',
  description: 'A deployment that counts for no release.',
  properties: {
    deployment: Deployment,
    reason: reasonOf(
      'no_release_window',
      'environment_not_counted',
      'still_in_progress',
      'rollback_pending_outcome',
      'release_frozen',
    ),
  },
});

const TestRunNotCounted = record({
  title: 'TestRunNotCounted',
  description: 'A test run that counts for no release.',
  properties: {
    test_run: TestRun,
    reason: reasonOf(
      'no_release_window',
      'superseded_by_newer_run',
      'release_frozen',
      'set_aside',
      'other_suite_set_aside',
    ),
  },
});

export const NotCounted = {
  title: 'NotCounted',
  description: 'A record that was accepted but counts for no release, with the reason.',
  oneOf: [DeploymentNotCounted, TestRunNotCounted],
} as const satisfies Schema;
export type NotCounted = FromSchema<typeof NotCounted>;
export type DeploymentNotCounted = FromSchema<typeof DeploymentNotCounted>;
export type TestRunNotCounted = FromSchema<typeof TestRunNotCounted>;

const kind = {
  type: 'string',
  enum: ['deployment', 'test_run'],
  description: 'Which kind of record.',
} as const satisfies Schema;

export const listNotCounted = {
  method: 'GET',
  path: `${PROJECT}/not-counted`,
  tag: 'projects',
  summary: 'List what was accepted but counts for no release, newest first',
  description: 'As of now: what starts to count, say because it finished or the policy changed, is no longer listed.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  query: record({
    properties: { kind, ...pageQuery },
    optional: ['limit', 'cursor'],
  }),
  success: { status: 200, body: pageOf(NotCounted) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportNotCounted = {
  ...CSV_LIST,
  path: `${PROJECT}/not-counted.csv`,
  tag: 'projects',
  summary: 'Export what was accepted but counts for no release as CSV, newest first',
  query: record({ properties: { kind } }),
} as const satisfies Operation;
