import type { TestRun } from '@shipworthy/domain';
import type { Access } from './access.js';
import { externalOf } from './deployment-row.js';
import type { ColumnKind } from './dialect.js';

export interface TestRunRow {
  readonly id: string;
  readonly project_id: string;
  readonly release_id: string;
  readonly suite: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number | null;
  readonly commit_sha: string | null;
  readonly url: string | null;
  readonly duration_seconds: number | null;
  readonly ran_at: number;
  readonly recorded_at: number;
  readonly recorded_by: string;
  readonly external_id: string | null;
  readonly external_fingerprint: string | null;
  readonly set_aside_at: number | null;
  readonly set_aside_by: string | null;
  readonly set_aside_reason: string | null;
}

/** Every column, in the order of `testRunCells`. */
export const TEST_RUN_KINDS: Readonly<Record<keyof TestRunRow, ColumnKind>> = {
  id: 'id',
  project_id: 'id',
  release_id: 'id',
  suite: 'text',
  total: 'integer',
  passed: 'integer',
  failed: 'integer',
  skipped: 'integer',
  commit_sha: 'text',
  url: 'text',
  duration_seconds: 'number',
  ran_at: 'moment',
  recorded_at: 'moment',
  recorded_by: 'text',
  external_id: 'text',
  external_fingerprint: 'text',
  set_aside_at: 'moment',
  set_aside_by: 'text',
  set_aside_reason: 'text',
};

const NAMES = Object.keys(TEST_RUN_KINDS);

/** The columns, each behind the name of its table. */
export const testRunColumns = (table: string): string => NAMES.map((name) => `${table}.${name}`).join(', ');

/** The values of a test run in the order of its columns. */
export const testRunCells = (access: Access, run: TestRun) => [
  run.id,
  run.projectId,
  run.releaseId,
  run.suite,
  run.total,
  run.passed,
  run.failed,
  run.skipped,
  run.commitSha,
  run.url,
  run.durationSeconds,
  access.dialect.moment(run.ranAt),
  access.dialect.moment(run.recordedAt),
  run.recordedBy,
  run.external?.id ?? null,
  run.external?.fingerprint ?? null,
  run.setAside === null ? null : access.dialect.moment(run.setAside.at),
  run.setAside?.by ?? null,
  run.setAside?.reason ?? null,
];

export const testRunOf = (row: TestRunRow): TestRun => ({
  id: row.id,
  projectId: row.project_id,
  releaseId: row.release_id,
  suite: row.suite,
  total: row.total,
  passed: row.passed,
  failed: row.failed,
  skipped: row.skipped,
  commitSha: row.commit_sha,
  url: row.url,
  durationSeconds: row.duration_seconds,
  ranAt: row.ran_at,
  recordedAt: row.recorded_at,
  recordedBy: row.recorded_by,
  external: externalOf(row.external_id, row.external_fingerprint),
  setAside:
    row.set_aside_at === null
      ? null
      : { reason: row.set_aside_reason ?? '', by: row.set_aside_by ?? '', at: row.set_aside_at },
});
