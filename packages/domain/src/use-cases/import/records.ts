import { type Deployment, deploymentFrom } from '../../deployment.js';
import type { PageKey } from '../../page.js';
import type { ReportEntry, ReportOutcome } from '../../pipeline-report.js';
import type { Stores } from '../../ports.js';
import { isClosed, type Release } from '../../release/release.js';
import type { HostDeployment, HostTestRun, TestRunSource } from '../../repository/host.js';
import { FOLLOW_DEPLOYMENTS_FOR, type ImportCheckpoint } from '../../repository/import-state.js';
import { importedDeployment, importedTestRun, mayStillBegin } from '../../repository/imported.js';
import { deploymentPrefix, hostIdIn, testRunExternalId } from '../../repository/link.js';
import { activeReleaseAt, targetRelease, testRunFrom } from '../../test-run.js';
import type { Instant } from '../../time.js';
import { countUncountedReports } from '../receipts.js';
import { recordedAfterShipping } from '../test-run.js';
import { completedStage, hostReadRequest, markAfterPage, type ReadStage, type StoringStep } from './step.js';

/** Stores entries in the transaction under way. A single entry that fails is a bug, and undoes the page. */
async function recordAll(
  { stores, receipts }: StoringStep,
  entries: readonly ReportEntry[],
): Promise<readonly ReportOutcome[]> {
  const outcomes = entries.length === 0 ? [] : await stores.reports.record(entries);
  for (const outcome of outcomes) if (outcome.result === 'failed') throw outcome.error;
  await countUncountedReports({ stores, receipts }, entries, outcomes);
  return outcomes;
}

const deploymentsFrom = (
  { link, project, now, newId }: StoringStep,
  rows: readonly HostDeployment[],
): readonly Deployment[] =>
  rows.flatMap((host) => {
    const report = importedDeployment(host, `${deploymentPrefix(link.host)}${host.id}`, project);
    return report === null ? [] : [deploymentFrom(report, project.id, newId(), now)];
  });

/**
 * Ends a deployment that is kept as `deploymentId`, if the host's record of it has ended. The end is an arrival: a release that
 * has shipped does not know it, even if the host's moment of it lies before the shipping.
 */
const finishing = (deploymentId: string, { status, finishedAt }: Deployment, at: Instant): readonly ReportEntry[] =>
  status === 'started' || finishedAt === null
    ? []
    : [{ kind: 'finish', deploymentId, status, finishedAt, at, durationSeconds: null, isArrivalTime: true }];

/**
 * Records the host's deployments, and ends those recorded before that have ended since. What began before `keptSince`
 * was removed for its age and stays counted: recorded again, it would be counted twice.
 */
const storeHostDeployments = async (step: StoringStep, rows: readonly HostDeployment[]): Promise<void> => {
  const { deployments: keptSince } = await step.stores.keptRecords.since(step.project.id);
  const deployments = deploymentsFrom(step, rows).filter(({ startedAt }) => startedAt >= (keptSince ?? 0));
  const outcomes = await recordAll(
    step,
    deployments.map((deployment) => ({ kind: 'deployment', deployment, remember: null, isArrivalTime: true })),
  );
  const ends = deployments.flatMap((deployment, index) => {
    const outcome = outcomes[index];
    return outcome?.result === 'external_id_conflict' ? finishing(outcome.id, deployment, step.now) : [];
  });
  await recordAll(step, ends);
};

/** Ends those of the kept deployments that the host says have ended. */
const finishHostDeployments = async (
  step: StoringStep,
  kept: readonly Deployment[],
  rows: readonly HostDeployment[],
): Promise<void> => {
  const ids = new Map(kept.map(({ id, external }) => [external?.id, id]));
  const ends = deploymentsFrom(step, rows).flatMap((deployment) => {
    const id = ids.get(deployment.external?.id);
    return id === undefined ? [] : finishing(id, deployment, step.now);
  });
  await recordAll(step, ends);
};

/** Where a reading of deployments goes on. */
interface Place {
  readonly page: string;
  /** The `since` with which the reading began. */
  readonly since: Instant | null;
  /** When the oldest deployment was created that had not begun when it was read; null: there was none. */
  readonly waiting: Instant | null;
}

const earlier = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

const waitingSince = (rows: readonly HostDeployment[], now: Instant): Instant | null =>
  rows
    .filter((row) => mayStillBegin(row) && now - row.createdAt <= FOLLOW_DEPLOYMENTS_FOR)
    .reduce<Instant | null>((first, { createdAt }) => earlier(first, createdAt), null);

/**
 * Sets the mark `open_deployments` to the oldest deployment that had not begun: it is read again even when the host
 * says that nothing changed.
 */
const withWaiting = (
  { open_deployments: _, ...marks }: ImportCheckpoint['marks'],
  waiting: Instant | null,
): ImportCheckpoint['marks'] =>
  waiting === null ? marks : { ...marks, open_deployments: { since: waiting, validator: null } };

const placeIn = ({ page, marks }: ImportCheckpoint): Omit<Place, 'page'> & { readonly page: string | null } => {
  if (page !== null) return JSON.parse(page) as Place;
  const since = marks.deployments?.since ?? null;
  return { page, since: since === null ? null : earlier(since, marks.open_deployments?.since ?? null), waiting: null };
};

/** Records the host's deployments that are new. */
export const importHostDeployments: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const { marks } = checkpoint;
  const { page, since, waiting } = placeIn(checkpoint);
  const mayBeUnchanged = page === null && marks.open_deployments === undefined;
  const validator = mayBeUnchanged ? (marks.deployments?.validator ?? null) : null;
  const reading = await step.ask((host, access) =>
    host.deployments(access, link.repository, { since, page, validator }),
  );
  if (reading.unchanged) return { ...completedStage(step), budget: reading.budget };
  const moments = reading.rows.map(({ createdAt }) => createdAt);
  const still = earlier(waiting, waitingSince(reading.rows, step.now));
  return {
    budget: reading.budget,
    rows: { deployments: reading.rows.length },
    store: async (storing) => {
      await storeHostDeployments(storing, reading.rows);
      const read = markAfterPage(checkpoint, 'deployments', reading, moments);
      if (reading.next === null) return { next: null, reading: read, marks: withWaiting(marks, still) };
      const place: Place = { page: reading.next, since, waiting: still };
      return { next: JSON.stringify(place), reading: read, marks };
    },
  };
};

/** Most unfinished deployments that one page looks up at the host; some hosts need a request for each. */
const UNFINISHED_PER_PAGE = 25;

/**
 * Ends deployments that had begun when they were read and have ended since; not every host tells which. All of the last
 * `FOLLOW_DEPLOYMENTS_FOR` are looked up, page by page: some may never end, and must not keep the others from being looked up.
 */
export const importOpenDeployments: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const externalPrefix = deploymentPrefix(link.host);
  const filter = { projectId: link.projectId, externalPrefix, since: step.now - FOLLOW_DEPLOYMENTS_FOR };
  const { page, marks } = state.checkpoint;
  const after = page === null ? null : (JSON.parse(page) as PageKey);
  const { rows: kept, next } = await step.stores.deployments.unfinished(filter, { limit: UNFINISHED_PER_PAGE, after });
  const ids = kept.map(({ external }) => hostIdIn(external?.id ?? null, externalPrefix)).filter((id) => id !== null);
  if (ids.length === 0) return completedStage(step);
  const found = await step.ask((host, access) => host.deploymentsById(access, link.repository, ids));
  return {
    budget: found.budget,
    rows: {},
    store: async (storing) => {
      await finishHostDeployments(storing, kept, found.rows);
      return { next: next === null ? null : JSON.stringify(next), reading: null, marks };
    },
  };
};

const activeRelease = async ({ testRuns }: Pick<Stores, 'testRuns'>, projectId: string): Promise<Release | null> => {
  const [target] = await testRuns.targets([{ projectId, releaseId: null, suite: null }]);
  return target?.release ?? null;
};

/** Stores the runs: each goes to the release that was active when it ran; if none was, to the one that is active now. */
const storeHostTestRuns = async (
  step: StoringStep,
  source: TestRunSource,
  rows: readonly HostTestRun[],
): Promise<void> => {
  const { stores, link, project, hostTitle, now, newId } = step;
  const reports = rows.flatMap((host) => importedTestRun(host, testRunExternalId(link.host, source, host.id)) ?? []);
  if (reports.length === 0) return;
  const lookups = reports.map((report) => ({
    ...{ projectId: project.id, releaseId: null, suite: null },
    at: activeReleaseAt(report, now),
  }));
  const targets = await stores.testRuns.targets(lookups);
  const entries = reports.map((report, index) => {
    const release = targetRelease(report, targets[index]?.release ?? null);
    const testRun = testRunFrom(report, {
      ...{ id: newId(), projectId: project.id, releaseId: release.id, recordedBy: hostTitle },
      now: recordedAfterShipping(release, now),
    });
    return { kind: 'test_run', testRun, remember: null, allowClosedRelease: isClosed(release) } as const;
  });
  await recordAll(step, entries);
};

/** Records the host's checks or workflows as test runs; without an active release nothing is read. */
export const importHostTestRuns: ReadStage = async (step) => {
  const { link, state } = step.linked;
  const { checkpoint } = state;
  const { marks } = checkpoint;
  const source = link.settings.testRuns;
  if (source === 'none' || (await activeRelease(step.stores, link.projectId)) === null) return completedStage(step);
  const reading = await step.ask((host, access) =>
    host.testRuns(access, link.repository, source, hostReadRequest(checkpoint, 'test_runs')),
  );
  if (reading.unchanged) return { ...completedStage(step), budget: reading.budget };
  const moments = reading.rows.map(({ ranAt }) => ranAt);
  return {
    budget: reading.budget,
    rows: { testRuns: reading.rows.length },
    store: async (storing) => {
      if ((await activeRelease(storing.stores, link.projectId)) === null) return { next: null, reading: null, marks };
      await storeHostTestRuns(storing, source, reading.rows);
      return { next: reading.next, reading: markAfterPage(checkpoint, 'test_runs', reading, moments), marks };
    },
  };
};
