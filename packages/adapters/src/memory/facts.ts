import {
  type ActiveRevision,
  type ChecklistState,
  countedState,
  countsAsReturn,
  type Instant,
  isClosed,
  type Release,
  type ReleaseInputs,
  type ReleaseRevision,
  type TestRun,
} from '@shipworthy/domain';
import type { ReleaseFactsStore } from '@shipworthy/domain/ports';
import {
  type CountingRules,
  NAMED_ITEMS,
  type OpsFacts,
  ownAxesFacts,
  type Policy,
  type QualityFacts,
  type ReleaseFacts,
  type ScopeFacts,
  type StabilityFacts,
  sourceFacts,
  summedTests,
  type VerificationFacts,
} from '@shipworthy/domain/readiness';
import { currentPolicy } from './projects.js';
import { ascending } from './table.js';
import { hourOf, keyOf, type TableAccess, type Tables } from './tables.js';
import { latestOfSuites, latestRun } from './test-runs.js';

const HOUR = 60 * 60 * 1000;

/** Counts the issues of a release that are not canceled, and the bugs among them. */
const issueFacts = (tables: Tables, releaseId: string): { scope: ScopeFacts; quality: QualityFacts } => {
  const scope = { done: 0, total: 0 };
  const quality = { resolved: 0, total: 0 };
  const open = { critical: 0, major: 0, minor: 0, unspecified: 0 };
  for (const { state, type, severity } of tables.issues.where('release', releaseId)) {
    if (state === 'canceled') continue;
    scope.total += 1;
    if (state === 'done') scope.done += 1;
    if (type !== 'bug') continue;
    quality.total += 1;
    if (state === 'done') quality.resolved += 1;
    else open[severity ?? 'unspecified'] += 1;
  }
  return { scope, quality: { ...quality, open } };
};

/**
 * `issuesAsOf`: the age of the issues while the repository host cannot be read, else null. `issuesPending`: their first
 * import is under way. A closed release's issues count as current.
 */
const issueKnowledge = (
  tables: Tables,
  { id, projectId, ...release }: Release,
): { readonly issuesAsOf: Instant | null; readonly issuesPending: boolean } => {
  const link = isClosed(release) ? undefined : tables.links.where('project', projectId)[0];
  return {
    issuesAsOf: link?.issuesAsOf ?? null,
    issuesPending: link?.linked.state.pendingReleaseIds.includes(id) ?? false,
  };
};

/** Counts the checklist items that apply. Names open, not-applicable and, while the release is open, removed items. */
const opsFacts = (tables: Tables, release: Pick<Release, 'id' | 'state'>): OpsFacts => {
  const all = ascending(tables.items.where('release', release.id), ({ position, id }) => [position, id]);
  const items = all.filter(({ removal }) => removal === null);
  const named = (state: ChecklistState) => items.filter((item) => countedState(item) === state);
  const open = named('open');
  const done = named('done').length;
  const notApplicable = items.flatMap(({ title, mark }) => {
    if (mark === null) return [];
    const { reason, markedBy, markedAt, confirmedBy, confirmedAt } = mark;
    return [{ title, reason, markedBy, markedAt, confirmedBy, confirmed: confirmedAt !== null }];
  });
  const removed = isClosed(release)
    ? []
    : all.flatMap(({ title, removal }) => (removal ? [{ title, ...removal }] : []));
  return {
    done,
    total: done + open.length,
    openItems: open.slice(0, NAMED_ITEMS).map(({ title }) => title),
    ...(notApplicable.length === 0 ? {} : { notApplicable: notApplicable.slice(0, NAMED_ITEMS) }),
    ...(removed.length === 0 ? {} : { removed: removed.slice(0, NAMED_ITEMS) }),
  };
};

/** The value that all share; null where they differ. */
const agreed = <Value>(values: readonly (Value | null)[]): Value | null => {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
};

/** The latest run of another suite with the lowest pass rate, if it passed less than the run that counts. */
const worseSuite = (latest: readonly TestRun[], counted: TestRun): Pick<VerificationFacts, 'worseSuite'> => {
  const worse = latest.filter(
    ({ passed, total }) => BigInt(passed) * BigInt(counted.total) < BigInt(counted.passed) * BigInt(total),
  );
  const [worst] = ascending(worse, ({ passed, total, suite }) => [passed / total, suite ?? '']);
  if (worst === undefined) return {};
  return { worseSuite: { suite: worst.suite, passed: worst.passed, total: worst.total } };
};

/** The tests of the latest run, or of each suite's latest run; null while the latest run of any suite is set aside. */
const verificationFacts = (
  tables: Tables,
  releaseId: string,
  verification: Policy['verification'],
): Pick<ReleaseFacts, 'verification' | 'testRunSetAside'> => {
  const latest = latestOfSuites(tables, releaseId);
  const [setAside] = ascending(
    latest.filter((run) => run.setAside !== null),
    ({ suite }) => [suite ?? ''],
  );
  if (setAside !== undefined) return { verification: null, testRunSetAside: { suite: setAside.suite } };
  const counted = verification === 'latest_run' ? [latestRun(latest)].flatMap((run) => run ?? []) : latest;
  const [first] = counted;
  if (first === undefined) return { verification: null };
  return {
    verification: {
      ...summedTests(
        counted.reduce((sum, { passed }) => sum + passed, 0),
        counted.reduce((sum, { total }) => sum + total, 0),
      ),
      ranAt: Math.min(...counted.map(({ ranAt }) => ranAt)),
      suite: agreed(counted.map(({ suite }) => suite)),
      commitSha: agreed(counted.map(({ commitSha }) => commitSha)),
      runs: counted.length,
      ...(verification === 'latest_run' ? worseSuite(latest, first) : {}),
    },
  };
};

/** Counts deployments in the release's window: whole hours by the kept counts, the parts of hours at both ends by the rows. */
const stabilityFacts = (
  tables: Tables,
  { projectId, startsAt, shippedAt, canceledAt }: Release,
  environments: Policy['environments'],
): StabilityFacts => {
  const sum = { started: 0, success: 0, failure: 0 };
  if (startsAt === null) return { succeeded: 0, failed: 0, inProgress: 0 };
  const endsAt = shippedAt ?? canceledAt ?? Number.POSITIVE_INFINITY;
  const counts = (environment: string): boolean => environments?.includes(environment) ?? true;
  const isWhole = (hour: number): boolean => hour >= startsAt && hour + HOUR <= endsAt;
  for (const { day: hour, environment, started, success, failure } of tables.hourlyCounts.where('project', projectId)) {
    if (!isWhole(hour) || !counts(environment)) continue;
    sum.started += started;
    sum.success += success;
    sum.failure += failure;
  }
  const edges = [startsAt, endsAt].filter(Number.isFinite).map(hourOf);
  for (const hour of new Set(edges.filter((edge) => !isWhole(edge)))) {
    for (const deployment of tables.deployments.where('hour', keyOf(projectId, hour))) {
      const { startedAt, environment, status } = deployment;
      const isInside = startedAt >= startsAt && startedAt < endsAt;
      if (isInside && counts(environment) && !countsAsReturn(deployment)) sum[status] += 1;
    }
  }
  return { succeeded: sum.success, failed: sum.failure, inProgress: sum.started };
};

/** When deployments and test runs of an open release came, by which silence is noticed; nothing of a closed release. */
const sourcesOf = (tables: Tables, release: Release): Pick<ReleaseFacts, 'sources'> => {
  if (isClosed(release)) return {};
  const { id, projectId, startsAt } = release;
  const deployments = startsAt === null ? [] : tables.deployments.where('project', projectId);
  const started = deployments.map(({ startedAt }) => startedAt).filter((at) => startsAt !== null && at >= startsAt);
  const ran = tables.testRuns.where('release', id).map(({ ranAt }) => ranAt);
  return { sources: { deployments: sourceFacts(started), testRuns: sourceFacts(ran) } };
};

const revisionOf = (tables: Tables, releaseId: string): ReleaseRevision | undefined => {
  const change = tables.changes.get(releaseId);
  return change === undefined ? undefined : { revision: change.revision, changedAt: change.changedAt };
};

const activeRevisionOf = (tables: Tables, projectId: string): ActiveRevision | undefined => {
  const active = tables.releases.where('project', projectId).find(({ state }) => state === 'active');
  const revision = active && revisionOf(tables, active.id);
  return active && revision && { releaseId: active.id, ...revision };
};

/** The latest report of each own axis, by the axis' name. */
const latestReports = (tables: Tables, releaseId: string): NonNullable<ReleaseFacts['ownAxes']> =>
  Object.fromEntries(
    ascending(tables.latestReports.where('release', releaseId), ({ axis }) => [axis]).map(
      ({ axis, part, whole, explanation, url, measuredAt }) => [axis, { part, whole, explanation, url, measuredAt }],
    ),
  );

/** Checklist items that apply and have evidence. */
const itemsWithEvidence = (tables: Tables, releaseId: string): number =>
  tables.items
    .where('release', releaseId)
    .filter((item) => item.removal === null && countedState(item) !== 'not_applicable' && item.evidence.length > 0)
    .length;

const factsOf = (tables: Tables, release: Release, rules: CountingRules): ReleaseFacts => {
  const issues = issueFacts(tables, release.id);
  const ops = opsFacts(tables, release);
  const counts = { ...issues, ops, itemsWithEvidence: itemsWithEvidence(tables, release.id) };
  const changedAt = revisionOf(tables, release.id)?.changedAt ?? 0;
  return {
    ...issues,
    ops,
    ...verificationFacts(tables, release.id, rules.verification),
    stability: stabilityFacts(tables, release, rules.environments),
    ...issueKnowledge(tables, release),
    ...sourcesOf(tables, release),
    ...ownAxesFacts(rules, latestReports(tables, release.id), counts, changedAt),
  };
};

const inputsOf = (tables: Tables, releaseId: string): ReleaseInputs | undefined => {
  const release = tables.releases.get(releaseId);
  const project = release === undefined ? undefined : tables.projects.get(release.projectId);
  const policy = release === undefined ? undefined : currentPolicy(tables, release.projectId);
  const revision = revisionOf(tables, releaseId);
  if (release === undefined || project === undefined || policy === undefined || revision === undefined)
    return undefined;
  const waivers = tables.waivers.where('release', releaseId).filter(({ withdrawnAt }) => withdrawnAt === null);
  return {
    release,
    project: { id: project.id, teamId: project.teamId, name: project.name },
    facts: factsOf(tables, release, policy.policy),
    policy,
    waivers: ascending(waivers, ({ createdAt, id }) => [createdAt, id]),
    revision,
  };
};

export const releaseFactsStore = ({ read }: TableAccess): ReleaseFactsStore => ({
  factsFor: (releaseIds) => read((tables) => releaseIds.map((id) => inputsOf(tables, id))),
  factsUnder: (releaseIds, rules) =>
    read((tables) =>
      releaseIds.map((id) => {
        const release = tables.releases.get(id);
        return release && factsOf(tables, release, rules);
      }),
    ),
  revisions: (releaseIds) => read((tables) => releaseIds.map((id) => revisionOf(tables, id))),
  activeRevisions: (projectIds) => read((tables) => projectIds.map((id) => activeRevisionOf(tables, id))),
});
