// SQL by hand: every report runs these statements. A batch takes a few of them, over tables of values, however many reports it
// has.
import { type Deployment, type DeploymentView, deploymentView, testRunMove } from '@shipworthy/domain';
import type { RememberedReply, ReportOutcome, ReportStore } from '@shipworthy/domain/ports';
import { markReleases, type ReleaseCauses } from '../change-log-sql.js';
import { despiteLostRaces, domainErrorOf, isBrokenReference, isLostRace, isUnavailable } from '../errors.js';
import { projectsAt } from '../project-lookup-sql.js';
import { holdUntilWorkersCommit, lockProjects } from '../projects.js';
import { type Access, groupedBy } from '../sql.js';
import { moveCounts } from './deployment-counts-sql.js';
import {
  type AffectedReleases,
  affectedBy,
  type Changed,
  finishDeployments,
  insertDeployments,
  insertDeploymentsWithoutExternalId,
  markLate,
  storeLateArrivals,
} from './insert-deployments-sql.js';
import { insertTestRuns } from './insert-test-runs-sql.js';
import {
  freeKeys,
  nextWave,
  ofKind,
  type PlacedEntry,
  type PlacedOf,
  placed,
  replaceReplies,
  settledTokens,
  takeFreshKeys,
  takeKeys,
} from './keys-sql.js';

/** The projects of deployments, each once. */
const projectsOf = async (access: Access, deploymentIds: readonly string[]): Promise<readonly string[]> => {
  if (deploymentIds.length === 0) return [];
  const { among, list } = access.dialect;
  const rows = await access.write<{ readonly project_id: string }>(
    `select distinct project_id from deployments where ${among('id', 'id')}`,
    [list(deploymentIds)],
    'projects-of-deployments',
  );
  return rows.map(({ project_id }) => project_id);
};

/**
 * Locks the projects of what is reported, so that no release is closed at the same time: for one that is closed before,
 * what is reported is late; one that is closed after knows it. Returns the locked projects; on a cluster, all.
 */
const lockProjectsOf = async (access: Access, entries: readonly PlacedEntry[]): Promise<readonly string[]> => {
  const { lockProjects: lock, rowsLockProjects } = access.dialect;
  if (lock === null) return [];
  const runs = ofKind('test_run', entries).map(({ entry }) => entry.testRun.projectId);
  const begun = rowsLockProjects ? [] : ofKind('deployment', entries).map(({ entry }) => entry.deployment.projectId);
  const ended = await projectsOf(
    access,
    ofKind('finish', entries).map(({ entry }) => entry.deploymentId),
  );
  const projectIds = [...new Set([...runs, ...begun, ...ended])];
  await lockProjects(access, 'shared', projectIds);
  return projectIds;
};

type Outcomes = ReadonlyMap<number, ReportOutcome>;

const merged = (marks: readonly ReleaseCauses[]): readonly ReleaseCauses[] =>
  [...groupedBy(marks, ({ releaseId }) => releaseId)].map(([releaseId, ofRelease]) => ({
    releaseId,
    causes: ofRelease.flatMap(({ causes }) => causes),
  }));

const isPlain = (placed: PlacedEntry): placed is PlacedOf<'deployment'> =>
  placed.entry.kind === 'deployment' && placed.entry.deployment.external === null && !placed.entry.mustBeKnown;

/** The change that a newly reported deployment makes. */
const begun = (
  deployment: Deployment,
  {
    isArrivalTime = false,
    releaseIds,
    by,
  }: Pick<PlacedOf<'deployment'>['entry'], 'isArrivalTime' | 'releaseIds' | 'by'> = {},
): Changed => ({
  deployment,
  releaseIds,
  by,
  what: deployment.status === 'started' ? 'begun' : 'finished',
  at: deployment.createdAt,
  arrival: isArrivalTime ? 'createdAt' : null,
});

const LATE = { late: true } as const;

/**
 * Stores for late deployments the answer that is true of them instead of the one that was made before they were stored.
 * Must run under the lock of their projects. Returns what the answers show, by the deployments' ids.
 */
const answerLate = async (
  access: Access,
  entries: readonly PlacedOf<'deployment'>[],
  { lateArrivals, misreadIds }: AffectedReleases,
): Promise<ReadonlyMap<string, DeploymentView>> => {
  const late = new Map<string, Deployment | null>(misreadIds.map((id) => [id, null]));
  for (const deployment of lateArrivals) late.set(deployment.id, deployment);
  const answered = entries.filter(({ entry }) => entry.replyIfLate !== undefined && late.has(entry.deployment.id));
  const deployments = answered.map(({ entry: { deployment } }) => late.get(deployment.id) ?? deployment);
  const places = await projectsAt(
    access,
    'id',
    deployments.map(({ projectId, startedAt }) => ({ key: projectId, at: startedAt })),
  );
  const views = new Map<string, DeploymentView>();
  const replies = new Map<string, RememberedReply>();
  for (const [index, { entry, keyId }] of answered.entries()) {
    const [deployment, at] = [deployments[index], places[index]?.[0]];
    if (deployment === undefined || at === undefined) continue;
    const view = deploymentView(deployment, at);
    const reply = entry.replyIfLate?.(view);
    views.set(deployment.id, view);
    if (reply !== undefined && keyId !== null) replies.set(keyId, reply);
  }
  await replaceReplies(access, replies);
  return views;
};

/** The outcome of a created deployment. */
const createdAs = (isLate: boolean, view: DeploymentView | undefined): ReportOutcome => ({
  result: 'created',
  ...(isLate ? LATE : {}),
  ...(view === undefined ? {} : { view }),
});

/** A key had been taken before; thrown to undo what was stored on the assumption that all keys are new. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/**
 * Records deployments without external ids, assuming that their idempotency keys are new, as nearly all are. So no
 * statement has to wait for the outcome of another one. @throws KeyTaken
 */
const recordAllAsNew = async (access: Access, entries: readonly PlacedOf<'deployment'>[]): Promise<Outcomes> => {
  const deployments = entries.map(({ entry }) => entry.deployment);
  const projectIds = await lockProjectsOf(access, entries);
  const [fresh, , , touched] = await Promise.all([
    takeFreshKeys(access, entries),
    insertDeploymentsWithoutExternalId(access, deployments),
    moveCounts(
      access,
      deployments.map((deployment) => ({ deployment, from: null })),
    ),
    affectedBy(
      access,
      entries.map(({ entry }) => begun(entry.deployment, entry)),
    ),
  ]);
  if (!fresh) throw new KeyTaken();
  await markLate(access, touched.lateIds);
  await storeLateArrivals(access, touched.lateArrivals);
  const views = await answerLate(access, entries, touched);
  await markReleases(access, touched.marks);
  await holdUntilWorkersCommit(access, projectIds);
  const late = new Set([...touched.lateArrivals.map(({ id }) => id), ...touched.misreadIds]);
  return new Map(
    entries.map(({ place, entry: { deployment } }) => [
      place,
      createdAs(late.has(deployment.id), views.get(deployment.id)),
    ]),
  );
};

/** Says in the outcomes which deployments are late. */
const noteLate = (
  outcomes: Map<number, ReportOutcome>,
  entries: readonly PlacedEntry[],
  { lateArrivals, misreadIds }: AffectedReleases,
  views: ReadonlyMap<string, DeploymentView>,
): void => {
  const moved = new Map(lateArrivals.map((deployment) => [deployment.id, deployment]));
  if (moved.size === 0 && misreadIds.length === 0) return;
  for (const { place, entry } of entries) {
    if (entry.kind === 'test_run') continue;
    const id = entry.kind === 'deployment' ? entry.deployment.id : entry.deploymentId;
    const deployment = moved.get(id);
    const outcome = outcomes.get(place);
    if (outcome?.result === 'created' && (deployment !== undefined || misreadIds.includes(id)))
      outcomes.set(place, createdAs(true, views.get(id)));
    if (outcome?.result === 'finished' && deployment !== undefined)
      outcomes.set(place, { ...outcome, deployment, ...LATE });
  }
};

/** Records entries of every kind step by step; each step uses the outcomes of the one before. */
const recordStepwise = async (access: Access, entries: readonly PlacedEntry[]): Promise<Outcomes> => {
  const outcomes = new Map<number, ReportOutcome>();
  const taken = await takeKeys(access, entries, outcomes);
  const projectIds = await lockProjectsOf(access, taken);
  const created = await insertDeployments(access, ofKind('deployment', taken), outcomes);
  const finished = await finishDeployments(access, ofKind('finish', taken), outcomes);
  const runs = await insertTestRuns(access, ofKind('test_run', taken), outcomes);
  await freeKeys(
    access,
    taken.filter(({ place }) => outcomes.get(place)?.result !== 'created'),
  );
  await moveCounts(access, [
    ...created.map((deployment) => ({ deployment, from: null })),
    ...finished.map((deployment) => ({ deployment, from: 'started' as const })),
  ]);
  const reported = new Map(ofKind('deployment', taken).map(({ entry }) => [entry.deployment.id, entry]));
  const ends = new Map(ofKind('finish', taken).map(({ entry }) => [entry.deploymentId, entry]));
  const deployed = await affectedBy(access, [
    ...created.map((deployment) => begun(deployment, reported.get(deployment.id))),
    ...finished.map((deployment): Changed => {
      const { at = 0, isArrivalTime = false, by } = ends.get(deployment.id) ?? {};
      return { deployment, what: 'finished', at, arrival: isArrivalTime ? 'finishedAt' : null, by };
    }),
  ]);
  const testers = new Map(ofKind('test_run', taken).map(({ entry }) => [entry.testRun.id, entry.by]));
  const tested = runs.map(({ id, releaseId, recordedAt }): ReleaseCauses => {
    const by = testers.get(id);
    return { releaseId, causes: [{ ...testRunMove(id, recordedAt), ...(by && { by }) }] };
  });
  await markLate(access, deployed.lateIds);
  await storeLateArrivals(access, deployed.lateArrivals);
  const fresh = ofKind('deployment', taken).filter(({ place }) => outcomes.get(place)?.result === 'created');
  noteLate(outcomes, taken, deployed, await answerLate(access, fresh, deployed));
  await markReleases(access, merged([...deployed.marks, ...tested]));
  await holdUntilWorkersCommit(access, projectIds);
  return outcomes;
};

/** Whether all are deployments without external ids, and no two of them have the same key. */
const areAllNew = (entries: readonly PlacedEntry[]): entries is readonly PlacedOf<'deployment'>[] => {
  const keys = entries.flatMap(({ keyId }) => keyId ?? []);
  return entries.every(isPlain) && new Set(keys).size === keys.length;
};

/**
 * Records entries that share no unsettled token in one transaction: keys, rows, counts, revisions, each in a fixed
 * order. Returns the outcomes by place.
 */
const recordWave = async (access: Access, entries: readonly PlacedEntry[]): Promise<Outcomes> => {
  if (areAllNew(entries)) {
    try {
      return await access.atomically((inside) => recordAllAsNew(inside, entries));
    } catch (error) {
      // A lost race or an outage would fail step by step as well.
      if (isLostRace(error) || isUnavailable(domainErrorOf(error))) throw error;
    }
  }
  return access.atomically((inside) => recordStepwise(inside, entries));
};

/** Records entries; tries again when the database rolled them back only because of other writers. */
const recordWithRetries = (access: Access, entries: readonly PlacedEntry[]): Promise<Outcomes> =>
  // Inside the caller's transaction a retry is impossible: the whole transaction is rolled back.
  access.inTransaction ? recordWave(access, entries) : despiteLostRaces(() => recordWave(access, entries));

const failed = (entries: readonly PlacedEntry[], error: Error): Outcomes =>
  new Map(entries.map(({ place }) => [place, { result: 'failed', error }]));

/**
 * Records what can be recorded: splits entries that fail together in halves, down to the bad one. Throws an outage only
 * while `nothingStored`.
 */
const record = async (access: Access, entries: readonly PlacedEntry[], nothingStored: boolean): Promise<Outcomes> => {
  try {
    return await recordWithRetries(access, entries);
  } catch (thrown) {
    const meaning = domainErrorOf(thrown);
    const error = meaning instanceof Error ? meaning : new Error(String(meaning));
    if (isUnavailable(error)) {
      if (nothingStored) throw error;
      return failed(entries, error);
    }
    const [only, ...others] = entries;
    // The project or release was removed after it was looked up.
    if (only !== undefined && others.length === 0)
      return isBrokenReference(thrown) ? new Map([[only.place, { result: 'not_found' }]]) : failed(entries, error);
    const middle = Math.ceil(entries.length / 2);
    const first = await record(access, entries.slice(0, middle), nothingStored);
    const second = await record(access, entries.slice(middle), false);
    return new Map([...first, ...second]);
  }
};

export const reportStore = (access: Access): ReportStore => ({
  record: async (entries) => {
    const outcomes = new Map<number, ReportOutcome>();
    const settled = new Set<string>();
    let rest: readonly PlacedEntry[] = placed(entries);
    while (rest.length > 0) {
      const { now, later } = nextWave(rest, settled);
      for (const [place, outcome] of await record(access, now, outcomes.size === 0)) outcomes.set(place, outcome);
      rest = later;
      if (later.length === 0) break;
      for (const one of now) {
        const outcome = outcomes.get(one.place);
        if (outcome !== undefined) for (const token of settledTokens(one, outcome)) settled.add(token);
      }
    }
    return entries.map((_, place) => outcomes.get(place) ?? { result: 'failed', error: new Error('no outcome') });
  },
});
