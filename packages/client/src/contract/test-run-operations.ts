import { ContributionQuery, recordPageOf } from './attribution.js';
import { BATCH_BYTES, BATCH_RECORDS, BatchResults } from './batch.js';
import { Id, Text, Timestamp } from './field.js';
import type { Operation } from './operation.js';
import { pageQuery } from './page.js';
import { PROJECT } from './path.js';
import { envelope, record } from './record.js';
import { SetAsideRequest, TestRun, TestRunRequest } from './test-run.js';

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

export const listTestRuns = {
  method: 'GET',
  path: `${PROJECT}/test-runs`,
  tag: 'test-runs',
  summary: 'List the test runs of a project, latest first',
  description: 'Everything the project received, counted or not.',
  auth: read,
  query: record({
    properties: {
      ...pageQuery,
      suite: Text,
      release_id: Id,
      ran_from: { ...Timestamp, description: 'Ran then or later.' },
      ran_to: { ...Timestamp, description: 'Ran before then.' },
    },
    optional: ['limit', 'cursor', 'suite', 'release_id', 'ran_from', 'ran_to'],
  }),
  success: { status: 200, body: recordPageOf(TestRun) },
  problems: [],
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
