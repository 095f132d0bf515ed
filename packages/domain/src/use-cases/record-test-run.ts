import { requireRole } from '../access/permission.js';
import type { Principal } from '../access/principal.js';
import { type TestRunView, testRunView } from '../attribution/test-run-view.js';
import { DomainError, invalid, notFound } from '../errors.js';
import type { Ports } from '../ports.js';
import { isClosed } from '../release/release-transition.js';
import { logReceipt } from '../report/receipt-log.js';
import { type RememberAs, type Reported, remembered, settled } from '../report/report-reply.js';
import {
  activeThen,
  type TestRunReport,
  targetRelease,
  testRunFaults,
  testRunFrom,
} from '../report/test-run-report.js';
import { duplicateOrRefuse } from './duplicate-or-refuse.js';
import { findTestRun } from './find-test-run.js';
import { replayOrRefuse } from './replay-or-refuse.js';

export interface RecordTestRun {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly report: TestRunReport;
  readonly remember: RememberAs<TestRunView> | null;
}

type RecordingPorts = Pick<Ports, 'stores' | 'reports' | 'lookups' | 'receipts' | 'clock' | 'newId'>;

/**
 * Stores a test run of the named release, of the one that was active when it ran, or of the active one: one coalesced read, one
 * coalesced write.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `no-active-release`, `release-closed`, `external-id-conflict`
 */
export const recordTestRun =
  (ports: RecordingPorts) =>
  async (command: RecordTestRun): Promise<Reported<TestRunView>> => {
    requireRole(command.principal, command.teamId, 'member');
    try {
      return await record(ports, command).catch((refusal: unknown) => {
        // The active release was closed in between: the next one is active, or the run still goes to where it ran.
        if (command.report.releaseId !== null || !isRefusal(refusal, 'release-closed')) throw refusal;
        return record(ports, command);
      });
    } catch (refusal) {
      const mayRepeat = refusal instanceof DomainError && STATE_REFUSALS.includes(refusal.code);
      if (!mayRepeat) throw refusal;
      return replayOrRefuse(ports.stores, command.remember?.request ?? null, refusal).catch((unanswered: unknown) => {
        if (unanswered !== refusal) throw unanswered;
        return duplicateOrRefuse(ports, command, command.report.external, refusal);
      });
    }
  };

const isRefusal = (error: unknown, code: DomainError['code']): boolean =>
  error instanceof DomainError && error.code === code;

const STATE_REFUSALS: readonly string[] = ['no-active-release', 'release-closed'];

const record = async (
  { reports, lookups, receipts, clock, newId }: RecordingPorts,
  { principal, teamId, projectId, report, remember }: RecordTestRun,
): Promise<Reported<TestRunView>> => {
  const now = clock();
  const { releaseId, suite } = report;
  const target = await lookups.testRunTarget({ projectId, releaseId, suite, at: activeThen(report, now) });
  if (target?.project.teamId !== teamId) throw notFound('project');
  const faults = testRunFaults(report, now);
  if (faults.length > 0) throw invalid(faults);
  const release = targetRelease(report, target.release);
  const testRun = testRunFrom(report, {
    id: newId(),
    projectId,
    releaseId: release.id,
    recordedBy: principal.name,
    // The release may have shipped since the clock was read: then the run was not there in time.
    now: Math.max(now, release.shippedAt ?? now),
  });
  const view = testRunView(testRun, target);
  const entry = {
    kind: 'test_run',
    testRun,
    remember: remembered(remember, view),
    afterwards: isClosed(release),
  } as const;
  const done = settled(await reports.submit(entry));
  if (done.outcome === 'created') {
    logReceipt(receipts, 'test_run', view.attribution);
    return { outcome: 'created', view };
  }
  if (done.outcome !== 'duplicate') return done;
  const first = await findTestRun({ lookups }, { principal, teamId, projectId, testRunId: done.id });
  return { outcome: 'duplicate', view: testRunView(first.testRun, first.target) };
};
