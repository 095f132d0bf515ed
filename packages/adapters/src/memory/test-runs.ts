import {
  contains,
  holdsWords,
  type Instant,
  isLater,
  namesOfTestRun,
  type Release,
  type RunOrder,
  type TestRun,
  type TestRunTarget,
  testRunMove,
} from '@shipworthy/domain';
import type { PreviousRunLookup, TargetLookup, TestRunStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log.js';
import { currentPolicy } from './projects.js';
import { descending, greatest, pageDown, pageUp } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

export const testRunStore = ({ read, change }: TableAccess): TestRunStore => ({
  byId: (testRunId) => read(({ testRuns }) => testRuns.get(testRunId)),
  byIds: (testRunIds) => read(({ testRuns }) => testRunIds.map((id) => testRuns.get(id))),
  page: ({ projectId, releaseId, suite, externalId, ran, text }, page, order = 'newest-first') =>
    read(({ testRuns }) => {
      const isFound = holdsWords(text);
      const wanted = testRuns
        .where('project', projectId)
        .filter(
          (run) =>
            (releaseId === undefined || run.releaseId === releaseId) &&
            (suite === undefined || run.suite === suite) &&
            (externalId === undefined || run.external?.id === externalId) &&
            (ran === undefined || contains(ran, run.ranAt)) &&
            isFound(namesOfTestRun(run)),
        );
      return (order === 'oldest-first' ? pageUp : pageDown)(wanted, runTimeKey, page);
    }),
  notCounted: (projectId, verification, page) =>
    read((tables) => pageDown(testRunsNotCounted(tables, projectId, verification), runTimeKey, page)),
  lastRecorded: (projectIds) =>
    read(({ testRuns }) => projectIds.map((id) => latestRun(testRuns.where('project', id))?.recordedAt)),
  setAside: ({ id, releaseId }, setAside, changedAt) =>
    change((tables) => {
      const run = tables.testRuns.get(id);
      if (run === undefined) return;
      tables.testRuns.put(id, { ...run, setAside });
      markRelease(tables, releaseId, testRunMove(id, changedAt, setAside === null ? 'restored' : 'set_aside'));
    }),
  targets: (lookups) => read((tables) => lookups.map((lookup) => targetOf(tables, lookup))),
  before: (lookups) => read((tables) => lookups.map((lookup) => before(tables, lookup))),
});

/** The sort key of test runs by time. */
const runTimeKey = ({ ranAt, recordedAt, id }: TestRun) => [ranAt, recordedAt, id];

/** The run that is the latest of all: ranAt, then recordedAt, then id. */
export const latestRun = (runs: readonly TestRun[]): TestRun | undefined => greatest(runs, runTimeKey);

/** Keeps a run that is about to be removed for its age, if it is the latest of its suite: it stays a fact of the release. */
export const keepIfLatest = ({ removedLatestRuns }: Tables, run: TestRun): void => {
  const key = keyOf(run.releaseId, run.suite);
  const kept = removedLatestRuns.get(key);
  if (kept === undefined || latestRun([kept, run]) === run) removedLatestRuns.put(key, run);
};

/** The latest run of each suite of a release, also where it was removed for its age. */
export const latestOfSuites = ({ testRuns, removedLatestRuns }: Tables, releaseId: string): readonly TestRun[] => {
  const runs = [...testRuns.where('release', releaseId), ...removedLatestRuns.where('release', releaseId)];
  const suites = new Set(runs.map(({ suite }) => suite));
  return [...suites].flatMap((suite) => latestRun(runs.filter((run) => run.suite === suite)) ?? []);
};

/** Whether a run was recorded before its release shipped, if that did. */
const wasInTime = ({ releases }: Tables, { releaseId, recordedAt }: TestRun): boolean => {
  const shippedAt = releases.get(releaseId)?.shippedAt ?? null;
  return shippedAt === null || recordedAt < shippedAt;
};

/** The runs of a release without those that were recorded after it shipped. */
const inTime = (tables: Tables, releaseId: string): readonly TestRun[] =>
  tables.testRuns.where('release', releaseId).filter((run) => wasInTime(tables, run));

/** The latest run of a release, or of a suite of it, that was recorded in time. */
const latestInTime = (tables: Tables, releaseId: string, suite?: string | null): TestRun | undefined => {
  const isWanted = (run: TestRun): boolean => suite === undefined || run.suite === suite;
  const latest = latestRun(latestOfSuites(tables, releaseId).filter(isWanted));
  if (latest === undefined || wasInTime(tables, latest)) return latest;
  return latestRun(inTime(tables, releaseId).filter(isWanted));
};

/** The latest run of each suite of a release among those that were recorded in time. */
const latestOfSuitesInTime = (tables: Tables, releaseId: string): readonly TestRun[] =>
  latestOfSuites(tables, releaseId).flatMap((latest) => {
    if (wasInTime(tables, latest)) return latest;
    return latestRun(inTime(tables, releaseId).filter(({ suite }) => suite === latest.suite)) ?? [];
  });

const orderOf = (run: TestRun | undefined): RunOrder | null =>
  run === undefined ? null : { ranAt: run.ranAt, recordedAt: run.recordedAt, id: run.id };

/** The release that was active at `at`, if one was, else the one that is active now. */
const activeAt = ({ activations, releases }: Tables, projectId: string, at: Instant | null): Release | undefined => {
  const held = activations
    .where('project', projectId)
    .filter(({ beganAt, endedAt }) => at !== null && contains({ from: beganAt, to: endedAt }, at));
  const [last] = descending(held, ({ beganAt }) => [beganAt]);
  if (last !== undefined) return releases.get(last.releaseId);
  return releases.where('project', projectId).find(({ state }) => state === 'active');
};

const targetOf = (
  tables: Tables,
  { projectId, releaseId, suite, at = null }: TargetLookup,
): TestRunTarget | undefined => {
  const project = tables.projects.get(projectId);
  if (project === undefined) return undefined;
  const release =
    (releaseId === null
      ? activeAt(tables, projectId, at)
      : tables.releases.where('project', projectId).find(({ id }) => id === releaseId)) ?? null;
  return {
    project: { id: project.id, teamId: project.teamId, name: project.name },
    release,
    verification: currentPolicy(tables, projectId)?.policy.verification ?? 'latest_run',
    latest: orderOf(release === null ? undefined : latestInTime(tables, release.id)),
    latestOfSuite: orderOf(release === null ? undefined : latestInTime(tables, release.id, suite)),
    otherSuiteSetAside:
      release !== null &&
      latestOfSuitesInTime(tables, release.id).some((run) => run.setAside !== null && run.suite !== suite),
  };
};

const before = (tables: Tables, run: PreviousRunLookup): TestRun | undefined =>
  latestRun(
    inTime(tables, run.releaseId).filter((other) => isLater(run, other) && (!run.ofSuite || other.suite === run.suite)),
  );

/**
 * The project's runs that do not count: replaced by a later one, recorded after shipping, set aside, or beside a suite whose
 * latest run is set aside.
 */
const testRunsNotCounted = (
  tables: Tables,
  projectId: string,
  verification: TestRunTarget['verification'],
): readonly TestRun[] => {
  const runs = tables.testRuns.where('project', projectId);
  const counted = new Set<TestRun | undefined>();
  for (const releaseId of new Set(runs.map((run) => run.releaseId))) {
    if (latestOfSuitesInTime(tables, releaseId).some(({ setAside }) => setAside !== null)) continue;
    const suites =
      verification === 'latest_run' ? [undefined] : latestOfSuites(tables, releaseId).map((run) => run.suite);
    for (const suite of suites) counted.add(latestInTime(tables, releaseId, suite));
  }
  return runs.filter((run) => run.setAside !== null || !counted.has(run));
};
