import type { TestRunRequest, TestRun as WireTestRun } from '@shipworthy/client/contract';
import type { TestRunReport, TestRunView } from '@shipworthy/domain';
import { wireAttribution } from './attribution.js';
import { externalIdOf } from './fingerprint.js';
import { momentOrNull, wireMoment } from './moment.js';

/** A reported test run as the domain takes it; what was not sent is null. */
export const testRunReport = (sent: TestRunRequest): TestRunReport => ({
  releaseId: sent.release_id?.toLowerCase() ?? null,
  suite: sent.suite ?? null,
  total: sent.total,
  passed: sent.passed,
  failed: sent.failed,
  skipped: sent.skipped ?? null,
  commitSha: sent.commit_sha ?? null,
  url: sent.url ?? null,
  durationSeconds: sent.duration_seconds ?? null,
  ranAt: momentOrNull(sent.ran_at),
  external: externalIdOf(sent),
});

/** A test run with its receipt. */
export const wireTestRun = ({ testRun, attribution }: TestRunView): WireTestRun => ({
  id: testRun.id,
  project_id: testRun.projectId,
  release_id: testRun.releaseId,
  suite: testRun.suite,
  total: testRun.total,
  passed: testRun.passed,
  failed: testRun.failed,
  skipped: testRun.skipped,
  commit_sha: testRun.commitSha,
  url: testRun.url,
  duration_seconds: testRun.durationSeconds,
  ran_at: wireMoment(testRun.ranAt),
  recorded_at: wireMoment(testRun.recordedAt),
  recorded_by: testRun.recordedBy,
  set_aside: testRun.setAside && { ...testRun.setAside, at: wireMoment(testRun.setAside.at) },
  attribution: wireAttribution('verification', attribution),
});
