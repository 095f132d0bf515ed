import type { TestRunReport } from '../report/test-run-report.js';
import type { HostTestRun } from './host-records.js';
import { lineOrNull, webAddress } from './host-text.js';
import { commitOf } from './imported-deployment.js';

/** The host's checks as a report under that name, for the active release; null when nothing passed or failed, so nothing was verified. */
export const importedTestRun = (host: HostTestRun, name: string): TestRunReport | null => {
  const { passed, failed, skipped, ranAt } = host;
  if (passed + failed === 0) return null;
  return {
    releaseId: null,
    suite: lineOrNull(host.suite),
    total: passed + failed,
    passed,
    failed,
    skipped,
    commitSha: commitOf(host.commitSha),
    url: webAddress(host.url),
    durationSeconds: null,
    ranAt,
    external: { id: name, fingerprint: `${passed}/${failed}/${skipped}@${ranAt}` },
  };
};
