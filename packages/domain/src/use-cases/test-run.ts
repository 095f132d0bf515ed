import type { IdempotentRequest } from '../access/ports.js';
import { authorOf, type Principal, requireInSight, requireRole, type TeamCaller } from '../access/principal.js';
import {
  type TestRunView,
  testRunAttribution,
  testRunView,
  withContributions,
  withoutTestRun,
} from '../attribution.js';
import type { ExternalId } from '../deployment.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { isExplanation } from '../names.js';
import {
  externalIdConflict,
  type ImportOutcome,
  logReceipt,
  prepareEntry,
  type RepeatableReport,
  type Repeated,
  type Reported,
  recordedOrThrow,
  remembered,
  storePrepared,
} from '../pipeline-report.js';
import type { Ports, Stores } from '../ports.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import { isClosed, type Release, requireOpen } from '../release/release.js';
import { importedNameFaults } from '../repository/link.js';
import {
  activeReleaseAt,
  type SetAside,
  type TestRun,
  type TestRunReport,
  type TestRunTarget,
  targetRelease,
  testRunFaults,
  testRunFrom,
} from '../test-run.js';
import type { Instant } from '../time.js';
import {
  type ChangeOfProject,
  type ChangePorts,
  findGuardedProject,
  type InProject,
  runProjectChange,
} from './change.js';
import { judgedInputs } from './readiness.js';
import { countUncountedOfBatch } from './receipts.js';

/** A test run as a path names it. */
interface TestRunPath {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly testRunId: string;
}

/**
 * Returns a test run that the principal may see, with what decides whether it counts: two coalesced reads.
 * @throws DomainError `not-found`
 */
const findTestRun = async (
  { lookups }: Pick<Ports, 'lookups'>,
  { principal, teamId, projectId, testRunId }: TestRunPath,
): Promise<{ readonly testRun: TestRun; readonly target: TestRunTarget }> => {
  requireInSight(principal, teamId);
  const testRun = await lookups.testRun(testRunId);
  if (testRun?.projectId !== projectId) throw notFound('test run');
  const { releaseId, suite } = testRun;
  const target = await lookups.testRunTarget({ projectId, releaseId, suite });
  if (target?.project.teamId !== teamId) throw notFound('test run');
  return { testRun, target };
};

/**
 * Answers a test run that would be refused now but was recorded while its release was open: its external id stays known
 * for ever. Only for callers whose role was already established.
 * @throws the refusal, when there is no such record; DomainError `external-id-conflict`
 */
const duplicateOrRefuse = async (
  ports: Pick<Ports, 'stores' | 'lookups'>,
  path: Omit<TestRunPath, 'testRunId'>,
  external: ExternalId | null,
  refusal: DomainError,
): Promise<Reported<TestRunView>> => {
  if (external === null) throw refusal;
  const filter = { projectId: path.projectId, externalId: external.id };
  const [known] = (await ports.stores.testRuns.page(filter, { limit: 1, after: null })).rows;
  if (known === undefined) throw refusal;
  if (known.external?.fingerprint !== external.fingerprint) throw externalIdConflict(known.id);
  const { testRun, target } = await findTestRun(ports, { ...path, testRunId: known.id });
  return { outcome: 'duplicate', view: testRunView(testRun, target) };
};

/**
 * Returns the first answer of the idempotency key to a request that would be refused now but succeeded before. Only for callers
 * who may read the answer.
 * @throws the refusal, when the key has no answer yet; the key stays free
 */
export async function replayOrRefuse(
  { transaction }: Pick<Stores, 'transaction'>,
  request: IdempotentRequest | null,
  refusal: DomainError,
): Promise<Repeated> {
  if (request === null) throw refusal;
  return transaction(async ({ idempotency }) => {
    const found = await idempotency.take(request);
    if (found.state === 'taken') return { outcome: 'replayed', reply: found.reply };
    if (found.state === 'reused') return { outcome: 'key_reused' };
    throw refusal;
  });
}

interface RecordTestRun extends TeamCaller {
  readonly teamId: string;
  readonly projectId: string;
  readonly report: TestRunReport;
  readonly remember: RepeatableReport<TestRunView> | null;
}

type RecordingPorts = Pick<Ports, 'stores' | 'reports' | 'lookups' | 'receipts' | 'clock' | 'newId'>;

/**
 * Stores a test run of the named release, of the one that was active when it ran, or of the active one: one coalesced read, one
 * coalesced write.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `no-active-release`, `release-closed`, `external-id-conflict`
 */
export async function recordTestRun(ports: RecordingPorts, command: RecordTestRun): Promise<Reported<TestRunView>> {
  requireRole(command.principal, command.teamId, command.needs);
  try {
    return await recordOnce(ports, command).catch((refusal: unknown) => {
      // The active release was closed between the two reads: the run goes to the release that is active now, or to the one in
      // which it ran.
      if (command.report.releaseId !== null || !isRefusal(refusal, 'release-closed')) throw refusal;
      return recordOnce(ports, command);
    });
  } catch (refusal) {
    if (!isStateRefusal(refusal)) throw refusal;
    return replayOrRefuse(ports.stores, command.remember?.request ?? null, refusal).catch((unanswered: unknown) => {
      if (unanswered !== refusal) throw unanswered;
      return duplicateOrRefuse(ports, command, command.report.external, refusal);
    });
  }
}

const isRefusal = (error: unknown, code: DomainError['code']): boolean =>
  error instanceof DomainError && error.code === code;

/** Whether it is a refusal that may come after the same report was stored, since releases are closed. */
const isStateRefusal = (error: unknown): error is DomainError =>
  isRefusal(error, 'no-active-release') || isRefusal(error, 'release-closed');

/**
 * When a test run or a report of an own axis is recorded. Where the release has shipped by a clock that is ahead of this
 * one, or since this one was read, the record still came too late.
 */
export const recordedAfterShipping = ({ shippedAt }: Release, now: Instant): Instant => Math.max(now, shippedAt ?? now);

const recordOnce = async (
  { reports, lookups, receipts, clock, newId }: RecordingPorts,
  { principal, teamId, projectId, report, remember }: RecordTestRun,
): Promise<Reported<TestRunView>> => {
  const now = clock();
  const { releaseId, suite } = report;
  const target = await lookups.testRunTarget({ projectId, releaseId, suite, at: activeReleaseAt(report, now) });
  if (target?.project.teamId !== teamId) throw notFound('project');
  const faults = [...testRunFaults(report, now), ...importedNameFaults(report.external)];
  if (faults.length > 0) throw invalid(faults);
  const release = targetRelease(report, target.release);
  const testRun = testRunFrom(report, {
    id: newId(),
    projectId,
    releaseId: release.id,
    recordedBy: principal.name,
    now: recordedAfterShipping(release, now),
  });
  const view = testRunView(testRun, target);
  const entry = {
    kind: 'test_run',
    by: authorOf(principal),
    testRun,
    remember: remembered(remember, view),
    allowClosedRelease: isClosed(release),
  } as const;
  const done = recordedOrThrow(await reports.submit(entry));
  if (done.outcome === 'created') {
    logReceipt(receipts, 'test_run', view.attribution);
    return { outcome: 'created', view };
  }
  if (done.outcome !== 'duplicate') return done;
  const first = await findTestRun({ lookups }, { principal, teamId, projectId, testRunId: done.id });
  return { outcome: 'duplicate', view: testRunView(first.testRun, first.target) };
};

/**
 * From when on all records of a closed release are stored; earlier ones may have been removed for their age. null: all are
 * stored. Must be called after the records were looked for: else some could be removed between the two reads.
 */
export const wholeSince = async (
  { keptRecords }: Pick<Stores, 'keptRecords'>,
  release: Release,
  kind: 'testRuns' | 'axisReports',
): Promise<Instant | null> => (isClosed(release) ? (await keptRecords.since(release.projectId))[kind] : null);

/**
 * Adds to the view of a stored test run what it does to the score, as of now: three coalesced reads, none where it does not
 * count, one more in a closed release. Adds nothing where the run that it replaced may have been removed for its age.
 */
export async function addTestRunContribution(
  { stores, lookups, clock }: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  view: TestRunView,
): Promise<TestRunView> {
  const { testRun, attribution } = view;
  if (!attribution.releases.some(({ counts }) => counts)) return view;
  const { projectId, releaseId, suite } = testRun;
  const inputs = await judgedInputs(lookups, releaseId);
  if (inputs === undefined) return view;
  const isPerSuite = inputs.policy.policy.verification === 'latest_per_suite';
  // Read after the facts: a run that no later run had replaced by then was counted in them.
  const [target, beforeOfSuite, beforeOfAll] = await Promise.all([
    lookups.testRunTarget({ projectId, releaseId, suite }),
    lookups.runBefore({ ...testRun, ofSuite: true }),
    isPerSuite ? undefined : lookups.runBefore({ ...testRun, ofSuite: false }),
  ]);
  if (target === undefined) return view;
  const current = testRunAttribution(testRun, target);
  const since = await wholeSince(stores, inputs.release, 'testRuns');
  const before = isPerSuite ? beforeOfSuite : beforeOfAll;
  // Without an earlier run it was the first, or the earlier ones were removed; an older one may outlive a newer one.
  if (since !== null && [before, beforeOfSuite].some((run) => run === undefined || run.ranAt < since))
    return { testRun, attribution: current };
  const without = (all: ReleaseFacts) => withoutTestRun(all, testRun, before ?? null, beforeOfSuite ?? null);
  return { testRun, attribution: withContributions(current, [inputs], without, clock()) };
}

type ReadTestRun = TestRunPath;

/** One test run with its receipt and what it does to the score. @throws DomainError `not-found` */
export async function readTestRun(
  ports: Pick<Ports, 'stores' | 'lookups' | 'clock'>,
  command: ReadTestRun,
): Promise<TestRunView> {
  const { testRun, target } = await findTestRun(ports, command);
  return addTestRunContribution(ports, testRunView(testRun, target));
}

interface ImportTestRuns extends TeamCaller {
  readonly teamId: string;
  readonly projectId: string;
  readonly records: readonly TestRunReport[];
}

/** Why an imported run is refused unless it was stored before its release closed; null: it may be new. */
const refusalIfNewOf = (report: TestRunReport, found: Release | null): DomainError | null => {
  try {
    targetRelease(report, found);
    return null;
  } catch (refusal) {
    if (report.external !== null && isStateRefusal(refusal)) return refusal;
    throw refusal;
  }
};

/**
 * Stores past test runs; those without faults are stored even when others are refused. Outcomes are in input order. A
 * constant number of queries for any number of records. One that is stored already is a duplicate, also where its release
 * has closed.
 * @throws DomainError `not-found`, `forbidden`; `unavailable` when nothing could be stored
 */
export async function importTestRuns(
  { stores, receipts, clock, newId }: Pick<Ports, 'stores' | 'receipts' | 'clock' | 'newId'>,
  { principal, needs, teamId, projectId, records }: ImportTestRuns,
): Promise<readonly ImportOutcome[]> {
  await findGuardedProject(stores, { principal, needs, teamId, projectId });
  const now = clock();
  const by = authorOf(principal);
  const targets = await stores.testRuns.targets(
    records.map((report) => ({
      projectId,
      releaseId: report.releaseId,
      suite: null,
      at: activeReleaseAt(report, now),
    })),
  );
  const prepared = records.map((report, index) =>
    prepareEntry(() => {
      const faults = [...testRunFaults(report, now), ...importedNameFaults(report.external)];
      if (faults.length > 0) throw invalid(faults);
      const release = targets[index]?.release ?? null;
      const refusalIfNew = refusalIfNewOf(report, release);
      const testRun = testRunFrom(report, {
        // Without a release it gets the id of none, so that the store looks only for its external id.
        ...{ id: newId(), projectId, releaseId: release?.id ?? newId(), recordedBy: principal.name },
        now: release === null ? now : recordedAfterShipping(release, now),
      });
      const allowClosedRelease = refusalIfNew === null && release !== null && isClosed(release);
      const entry = { kind: 'test_run', by, testRun, remember: null, allowClosedRelease } as const;
      return { id: testRun.id, entry, refusalIfNew };
    }),
  );
  const outcomes = await storePrepared(stores.reports, prepared);
  await countUncountedOfBatch({ stores, receipts }, prepared, outcomes);
  return outcomes;
}

interface InTestRun extends InProject {
  readonly testRunId: string;
}

interface SetTestRunAside extends InTestRun {
  /** 1-500 characters, one of them a letter or a digit. */
  readonly reason: string;
}

/** Runs a change of a test run whose release is open, with its project locked. */
const changeTestRun = (
  ports: ChangePorts,
  command: InTestRun,
  work: (changing: ChangeOfProject, testRun: TestRun) => Promise<SetAside | null>,
): Promise<TestRun> =>
  runProjectChange(ports, command, async (changing) => {
    const { stores, project, now } = changing;
    const testRun = await stores.testRuns.byId(command.testRunId);
    if (testRun?.projectId !== project.id) throw notFound('test run');
    const release = await stores.releases.byId(testRun.releaseId);
    if (release === undefined) throw notFound('test run');
    requireOpen(release);
    const setAside = await work(changing, testRun);
    await stores.testRuns.setAside(testRun, setAside, now);
    return { ...testRun, setAside };
  });

const noted = (action: 'test_run.set_aside' | 'test_run.restore', { id, suite, total, passed, setAside }: TestRun) => ({
  action,
  resource: { type: 'test_run', id },
  detail: { suite, total, passed, reason: setAside?.reason ?? null },
});

/**
 * Sets a wrong test run aside: it never counts, and verification is unmeasured until its suite has a newer run.
 * @throws DomainError `invalid` for a reason that says nothing, `not-found`, `forbidden`, `release-closed`, `test-run-state`
 * when it is set aside already
 */
export function setTestRunAside(ports: ChangePorts, command: SetTestRunAside): Promise<TestRun> {
  return changeTestRun(ports, command, async ({ project, now, by, note }, testRun) => {
    if (!isExplanation(command.reason))
      throw invalid([{ pointer: '/reason', code: 'required', message: 'Say why the test run is wrong' }]);
    if (testRun.setAside !== null) throw new DomainError('test-run-state', 'The test run is set aside already.');
    const setAside = { reason: command.reason, by: by.principal.name, at: now };
    await note({ teamId: project.teamId, ...noted('test_run.set_aside', { ...testRun, setAside }) });
    return setAside;
  });
}

/**
 * Takes back that a test run is set aside; who did it and why stays in the audit log.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `test-run-state` when it is not set aside
 */
export function restoreTestRun(ports: ChangePorts, command: InTestRun): Promise<TestRun> {
  return changeTestRun(ports, command, async ({ project, note }, testRun) => {
    if (testRun.setAside === null) throw new DomainError('test-run-state', 'The test run is not set aside.');
    await note({ teamId: project.teamId, ...noted('test_run.restore', testRun) });
    return null;
  });
}
