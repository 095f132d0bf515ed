import {
  arrivedAfter,
  type Deployment,
  deploymentMove,
  deploymentView,
  type KeptSince,
  type Move,
  type Project,
  releasesDiffer,
  type TestRun,
  testRunMove,
} from '@shipworthy/domain';
import type {
  KeptRecordsStore,
  RemovedRecords,
  ReportEntry,
  ReportOutcome,
  ReportStore,
} from '@shipworthy/domain/ports';
import { markRelease, windowsAt } from './change-log.js';
import { count } from './deployments.js';
import { remember, replyTo } from './idempotency.js';
import { projectAt } from './projects.js';
import { ascending } from './table.js';
import { atomically, dayOf, keyOf, type TableAccess, type Tables } from './tables.js';
import { keepIfLatest } from './test-runs.js';

type Finish = Extract<ReportEntry, { kind: 'finish' }>;
type Reported = Exclude<ReportEntry, Finish>;
type Authored = Pick<Move, 'by'>;

/** The author of a report, as part of a move; empty: the author of the transaction counts. */
const authorOfEntry = ({ by }: ReportEntry): Authored => (by === undefined ? {} : { by });

const markWindows = (tables: Tables, { projectId, startedAt }: Deployment, move: Move): void => {
  for (const window of windowsAt(tables, projectId, startedAt)) markRelease(tables, window.id, move);
};

/**
 * Returns an arriving deployment, recorded or finished (`arrival`) no earlier than any shipping of a release whose
 * window holds it. `late`: such a release has shipped.
 */
const arrived = (tables: Tables, deployment: Deployment, arrival: 'createdAt' | 'finishedAt') => {
  const shipped = windowsAt(tables, deployment.projectId, deployment.startedAt).flatMap(
    ({ shippedAt }) => shippedAt ?? [],
  );
  const moved = shipped.reduce((one, shippedAt) => arrivedAfter(one, arrival, shippedAt), deployment);
  return { deployment: moved, ...(shipped.length === 0 ? {} : { late: true as const }) };
};

const insertDeployment = (tables: Tables, deployment: Deployment, author: Authored): void => {
  const { id } = deployment;
  if (tables.deployments.get(id) !== undefined) throw new Error(`There is a deployment ${id} already.`);
  tables.deployments.put(id, deployment);
  count(tables, deployment, 1);
  const move = deploymentMove(id, deployment.status === 'started' ? 'begun' : 'finished', deployment.createdAt);
  markWindows(tables, deployment, { ...move, ...author });
};

const insertTestRun = (tables: Tables, testRun: TestRun, author: Authored): void => {
  const { id, releaseId, recordedAt } = testRun;
  if (tables.testRuns.get(id) !== undefined) throw new Error(`There is a test run ${id} already.`);
  tables.testRuns.put(id, testRun);
  markRelease(tables, releaseId, { ...testRunMove(id, recordedAt), ...author });
};

/** The outcome if the record is known by its external id. */
const known = ({ externals }: Tables, key: string, { external }: Deployment | TestRun): ReportOutcome | undefined => {
  const first = externals.get(key);
  if (external === null || first === undefined) return undefined;
  const result = first.fingerprint === external.fingerprint ? 'duplicate' : 'external_id_conflict';
  return { result, id: first.recordId };
};

/** The outcome when the release or its project is gone, or the release takes no more runs. */
const closed = (
  tables: Tables,
  { testRun: { projectId, releaseId }, allowClosedRelease }: Extract<ReportEntry, { kind: 'test_run' }>,
): ReportOutcome | undefined => {
  const release = tables.releases.get(releaseId);
  if (release?.projectId !== projectId) return { result: 'not_found' };
  const open = release.state === 'planned' || release.state === 'active';
  return open || allowClosedRelease ? undefined : { result: 'release_closed', releaseId };
};

/** The outcome of a record that is not known where it must not be stored. */
const refusedAsNew = (tables: Tables, entry: Reported): ReportOutcome | undefined => {
  if (entry.kind === 'test_run') return closed(tables, entry);
  return entry.mustBeKnown ? { result: 'not_found' } : undefined;
};

const record = (tables: Tables, entry: Reported): ReportOutcome => {
  const reply = entry.remember === null ? undefined : replyTo(tables, entry.remember.request);
  if (reply?.state === 'taken') return { result: 'replayed', reply: reply.reply };
  if (reply?.state === 'reused') return { result: 'key_reused' };
  const row = entry.kind === 'deployment' ? entry.deployment : entry.testRun;
  const externalKey = keyOf(entry.kind, row.projectId, row.external?.id ?? null);
  const refusal = known(tables, externalKey, row) ?? refusedAsNew(tables, entry);
  if (refusal !== undefined) return refusal;
  if (tables.projects.get(row.projectId) === undefined) return { result: 'not_found' };
  const stored = store(tables, entry);
  if (row.external !== null) {
    tables.externals.put(externalKey, { recordId: row.id, fingerprint: row.external.fingerprint });
  }
  if (entry.remember === null) return stored;
  const late = 'view' in stored && entry.kind === 'deployment' ? entry.replyIfLate?.(stored.view) : undefined;
  remember(tables, entry.remember.request, late ?? entry.remember.reply);
  return stored;
};

/** Stores the row of a report that was not refused. */
const store = (tables: Tables, entry: Reported): Extract<ReportOutcome, { result: 'created' }> => {
  if (entry.kind === 'test_run') {
    insertTestRun(tables, entry.testRun, authorOfEntry(entry));
    return { result: 'created' };
  }
  const { deployment, isArrivalTime, releaseIds, replyIfLate } = entry;
  const arrival = isArrivalTime ? arrived(tables, deployment, 'createdAt') : { deployment };
  insertDeployment(tables, arrival.deployment, authorOfEntry(entry));
  const held = windowsAt(tables, deployment.projectId, deployment.startedAt).map(({ id }) => id);
  if (!('late' in arrival) && !releasesDiffer(releaseIds, held)) return { result: 'created' };
  const project = replyIfLate && tables.projects.get(deployment.projectId);
  if (project === undefined) return { result: 'created', late: true };
  const view = deploymentView(arrival.deployment, projectAt(tables, project, deployment.startedAt));
  return { result: 'created', late: true, view };
};

const finish = (
  tables: Tables,
  { deploymentId, status, finishedAt, at, durationSeconds, isArrivalTime, by }: Finish,
): ReportOutcome => {
  const before = tables.deployments.get(deploymentId);
  if (before === undefined) return { result: 'not_found' };
  if (before.status !== 'started') return { result: 'already_final', deployment: before };
  const seconds = durationSeconds ?? before.durationSeconds;
  const reported = { ...before, status, finishedAt, durationSeconds: seconds };
  const end = isArrivalTime ? arrived(tables, reported, 'finishedAt') : { deployment: reported };
  const { deployment } = end;
  tables.deployments.put(deploymentId, deployment);
  count(tables, before, -1);
  count(tables, deployment, 1);
  const learned = 'late' in end ? Math.max(at, deployment.finishedAt ?? at) : at;
  markWindows(tables, deployment, { ...deploymentMove(deploymentId, 'finished', learned), ...(by && { by }) });
  return { result: 'finished', ...end };
};

/** Each entry works on its own draft, so that a failed one leaves no change. */
const outcomeOf = (tables: Tables, entry: ReportEntry): ReportOutcome => {
  try {
    return atomically(tables, (own) => (entry.kind === 'finish' ? finish(own, entry) : record(own, entry)));
  } catch (error) {
    return { result: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
};

export const reportStore = ({ change }: TableAccess): ReportStore => ({
  record: (entries) => change((tables) => entries.map((entry) => outcomeOf(tables, entry))),
});

const NONE: KeptSince = { deployments: null, testRuns: null, axisReports: null };

const laterMoment = (a: number | null, b: number): number => Math.max(a ?? b, b);

const removeOf = (tables: Tables, { id, teamId }: Project, before: number): RemovedRecords | null => {
  const open = tables.releases.where('project', id).filter(({ state }) => state === 'planned' || state === 'active');
  const edge = open.reduce((least, { startsAt }) => Math.min(least, dayOf(startsAt ?? before)), before);
  const openIds = new Set(open.map((release) => release.id));
  const deployments = tables.deployments.where('project', id).filter(({ startedAt }) => startedAt < edge);
  const testRuns = tables.testRuns
    .where('project', id)
    .filter(({ ranAt, releaseId }) => ranAt < before && !openIds.has(releaseId));
  const axisReports = tables.axisReports
    .where('project', id)
    .filter(({ measuredAt, releaseId }) => measuredAt < before && !openIds.has(releaseId));
  if (deployments.length + testRuns.length + axisReports.length === 0) return null;
  for (const { id: recordId, external } of deployments) {
    tables.deployments.remove(recordId);
    if (external !== null) tables.externals.remove(keyOf('deployment', id, external.id));
  }
  for (const run of testRuns) {
    const { id: recordId, external } = run;
    keepIfLatest(tables, run);
    tables.testRuns.remove(recordId);
    if (external !== null) tables.externals.remove(keyOf('test_run', id, external.id));
  }
  for (const report of axisReports) tables.axisReports.remove(report.id);
  const since = tables.keptSince.get(id) ?? NONE;
  tables.keptSince.put(id, {
    deployments: laterMoment(since.deployments, edge),
    testRuns: laterMoment(since.testRuns, before),
    axisReports: laterMoment(since.axisReports, before),
  });
  return {
    ...{ projectId: id, teamId },
    ...{ deployments: deployments.length, testRuns: testRuns.length, axisReports: axisReports.length },
  };
};

export const keptRecordsStore = ({ read, change }: TableAccess): KeptRecordsStore => ({
  since: (projectId) => read(({ keptSince }) => keptSince.get(projectId) ?? NONE),
  removeBefore: (before, from) =>
    change((tables) => {
      for (const project of ascending(tables.projects.all(), ({ id }) => [id])) {
        if (from !== null && project.id < from) continue;
        const removed = removeOf(tables, project, before);
        if (removed !== null) return { removed: [removed], next: project.id };
      }
      return { removed: [], next: null };
    }),
});
