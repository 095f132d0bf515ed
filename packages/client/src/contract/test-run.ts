import {
  CommitSha,
  CommitShaOrNull,
  Count,
  CountOrNull,
  DurationSeconds,
  DurationSecondsOrNull,
  ExternalId,
  HttpUrl,
  HttpUrlOrNull,
  Id,
  MAX_INTEGER,
  Text,
  TextOrNull,
  Timestamp,
} from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT } from './path.js';
import {
  BATCH_BYTES,
  BATCH_RECORDS,
  BatchResults,
  ContributionQuery,
  recordPageOf,
  TestRunAttribution,
} from './pipeline-report.js';
import {
  envelope,
  type FromSchema,
  type InterfaceBase,
  pageQuery,
  record,
  type Schema,
  timeOrder,
  wordsIn,
} from './schema.js';

const Total = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_INTEGER,
  description: 'Tests that ran; `passed + failed` may be fewer, the rest errored.',
} as const satisfies Schema;
const Text500 = { ...Text, maxLength: 500, description: 'Why.' } as const satisfies Schema;
const Passed = { ...Count, description: 'Tests that passed.' } as const;
const Failed = { ...Count, description: 'Tests that failed.' } as const;
const Skipped = 'Tests that did not run; informative, never in the rate.';
const RanAt = 'When it ran, never after it was recorded; the greatest is the latest run.';

export const TestRunRequest = record({
  title: 'TestRunRequest',
  description: 'One run of a test suite, counted in tests.',
  properties: {
    total: Total,
    passed: Passed,
    failed: Failed,
    suite: { ...Text, description: 'Label of the suite.', examples: ['unit'] },
    release_id: {
      ...Id,
      description: 'Release of this project; unless given, the one that was active at `ran_at`, else the active one.',
    },
    commit_sha: CommitSha,
    url: { ...HttpUrl, description: 'Page of the run.' },
    duration_seconds: DurationSeconds,
    skipped: { ...Count, description: Skipped },
    ran_at: {
      ...Timestamp,
      description: `When it ran; now unless given. Up to 5 minutes ahead it is taken for now, further ahead refused.`,
    },
    external_id: ExternalId,
  },
  optional: ['suite', 'release_id', 'commit_sha', 'url', 'duration_seconds', 'skipped', 'ran_at', 'external_id'],
  examples: [{ total: 412, passed: 410, failed: 2, suite: 'unit' }],
});
export type TestRunRequest = FromSchema<typeof TestRunRequest>;

const testRunSchema = record({
  title: 'TestRun',
  description: 'A test run as it was recorded.',
  properties: {
    id: Id,
    project_id: Id,
    release_id: Id,
    suite: TextOrNull,
    total: Total,
    passed: Passed,
    failed: Failed,
    skipped: { ...CountOrNull, description: Skipped },
    commit_sha: CommitShaOrNull,
    url: HttpUrlOrNull,
    duration_seconds: DurationSecondsOrNull,
    ran_at: { ...Timestamp, description: RanAt },
    recorded_at: Timestamp,
    recorded_by: { ...Text, description: 'Name of the person or key.' },
    set_aside: {
      oneOf: [record({ properties: { reason: Text500, by: Text, at: Timestamp } }), { type: 'null' }],
      description:
        'An owner said that it does not speak for its suite, with who, when and why: it never counts, and verification is unmeasured until the suite has a newer run. null: it is not.',
    },
    attribution: TestRunAttribution,
  },
});
export interface TestRunSchema extends InterfaceBase<typeof testRunSchema> {}
export const TestRun: TestRunSchema = testRunSchema;
export type TestRun = FromSchema<typeof TestRun>;

const SetAsideRequest = record({
  title: 'SetAsideRequest',
  description: 'Why a test run does not speak for its suite; a letter or a digit at least.',
  properties: { reason: Text500 },
  examples: [{ reason: 'It ran against the wrong environment.' }],
});

const write = { kind: 'key', scope: 'test-runs:write', role: 'member' } as const;
const read = { kind: 'key', scope: 'read', role: 'viewer' } as const;

export const recordTestRun = {
  method: 'POST',
  path: `${PROJECT}/test-runs`,
  tag: 'test-runs',
  summary: 'Report a test run',
  description:
    "Goes to the named release. Without a name it goes to the release that was active at `ran_at`, also where that one has shipped by now (it is stored then and does not count, reason `release_frozen`), else to the project's active one.",
  auth: write,
  query: ContributionQuery,
  body: TestRunRequest,
  idempotent: true,
  success: { status: 201, body: envelope(TestRun) },
  location: `${PROJECT}/test-runs/{id}`,
  problems: ['no-active-release', 'release-closed', 'external-id-conflict'],
  keepsKey: true,
} as const satisfies Operation;

export const importTestRuns = {
  method: 'POST',
  path: `${PROJECT}/test-runs/batch`,
  tag: 'test-runs',
  summary: 'Import up to 1,000 test runs',
  description:
    'A JSON array, or NDJSON with one record per line. Good records are stored although others are refused. Give each an `external_id`, so that it is stored once however often it is sent.',
  auth: write,
  body: { type: 'array', items: TestRunRequest, minItems: 1, maxItems: BATCH_RECORDS },
  bodyMode: 'batch',
  bodyLimit: BATCH_BYTES,
  idempotent: true,
  success: { status: 200, body: BatchResults },
  problems: [],
} as const satisfies Operation;

const listQuery = {
  q: wordsIn('suite, commit and external id'),
  suite: Text,
  release_id: Id,
  ran_from: { ...Timestamp, description: 'Ran then or later.' },
  ran_to: { ...Timestamp, description: 'Ran before then.' },
  ...timeOrder,
} as const satisfies Readonly<Record<string, Schema>>;

const LIST_MEMBERS = ['q', 'suite', 'release_id', 'ran_from', 'ran_to', 'order'] as const;

export const listTestRuns = {
  method: 'GET',
  path: `${PROJECT}/test-runs`,
  tag: 'test-runs',
  summary: 'List the test runs of a project, latest first unless `order` says otherwise',
  description: 'Everything the project received, counted or not.',
  auth: read,
  query: record({ properties: { ...pageQuery, ...listQuery }, optional: ['limit', 'cursor', ...LIST_MEMBERS] }),
  success: { status: 200, body: recordPageOf(TestRun) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportTestRuns = {
  ...CSV_LIST,
  path: `${PROJECT}/test-runs.csv`,
  tag: 'test-runs',
  summary: 'Export the test runs of a project as CSV, latest first unless `order` says otherwise',
  query: record({ properties: listQuery, optional: [...LIST_MEMBERS] }),
} as const satisfies Operation;

export const readTestRun = {
  method: 'GET',
  path: `${PROJECT}/test-runs/{test_run_id}`,
  tag: 'test-runs',
  summary: 'Read a test run with what it counts for',
  auth: read,
  success: { status: 200, body: envelope(TestRun) },
  problems: [],
} as const satisfies Operation;

const owner = { kind: 'session', role: 'owner' } as const;

export const setTestRunAside = {
  method: 'POST',
  path: `${PROJECT}/test-runs/{test_run_id}/set-aside`,
  tag: 'test-runs',
  summary: 'Set a wrong test run aside',
  description:
    'Test runs are never deleted. One that is set aside never counts; while it is the latest of its suite, verification of the release is unmeasured (`test_run_set_aside`), until a newer run of that suite is recorded.',
  auth: owner,
  body: SetAsideRequest,
  success: { status: 200, body: envelope(TestRun) },
  problems: ['release-closed', 'test-run-state'],
} as const satisfies Operation;

export const restoreTestRun = {
  method: 'POST',
  path: `${PROJECT}/test-runs/{test_run_id}/restore`,
  tag: 'test-runs',
  summary: 'Take back that a test run is set aside',
  description: 'Who set it aside, when and why stays in the audit log.',
  auth: owner,
  success: { status: 200, body: envelope(TestRun) },
  problems: ['release-closed', 'test-run-state'],
} as const satisfies Operation;
