import { awaitsConfirmation, type ChecklistItem } from './checklist.js';
import { countsAsReturn, type Deployment } from './deployment.js';
import type { Issue } from './issue.js';
import type { ProjectAt } from './project.js';
import { staleFrom } from './readiness/axes/verification.js';
import type { Axis } from './readiness/axis.js';
import type { ReleaseFacts, VerificationFacts } from './readiness/facts.js';
import type { Policy } from './readiness/policy.js';
import { liveReport, type ReleaseInputs } from './release/facts.js';
import type { ReleaseWindow } from './release/release.js';
import { isLater, type RunOrder, type TestRun, type TestRunTarget } from './test-run.js';
import { contains, type Instant } from './time.js';

/** Why a record does not count (for a release, or at all). */
export type NotCountedReason =
  | 'no_release_window'
  | 'environment_not_counted'
  | 'still_in_progress'
  | 'rollback_pending_outcome'
  | 'release_frozen'
  | 'set_aside'
  | 'other_suite_set_aside'
  | 'superseded_by_newer_run';

/** A release's readiness score with and without one record: 0-100, rounded down to two decimals; null: no score. */
export interface Contribution {
  readonly scoreWith: number | null;
  readonly scoreWithout: number | null;
}

/** Whether a record counts for one release; the reason only when it does not. */
export interface ReleaseAttribution {
  readonly id: string;
  readonly name: string;
  readonly counts: boolean;
  readonly reason: NotCountedReason | null;
  /** Set when a single record is read and counts; null otherwise. */
  readonly contribution: Contribution | null;
}

/** What a record counts for, computed whenever it is read. */
export interface Attribution {
  readonly project: { readonly id: string; readonly name: string };
  readonly releases: readonly ReleaseAttribution[];
  /** The axis the record feeds. */
  readonly axis: Extract<Axis, 'verification' | 'stability'>;
  /** Why it counts for no release, when `releases` is empty; null otherwise. */
  readonly reason: NotCountedReason | null;
}

/** Makes the line of a receipt about one release; a `reason` of null: the record counts. */
export const attributedTo = (
  release: { readonly id: string; readonly name: string },
  reason: NotCountedReason | null,
): ReleaseAttribution => ({ id: release.id, name: release.name, counts: reason === null, reason, contribution: null });

type ReportedDeployment = Pick<
  Deployment,
  'status' | 'environment' | 'isReturn' | 'startedAt' | 'finishedAt' | 'createdAt'
>;

/** Whether the deployment was recorded or finished after the release shipped: the frozen report lacks its outcome. */
export const missedShipping = (
  { createdAt, finishedAt }: Pick<Deployment, 'createdAt' | 'finishedAt'>,
  { shippedAt }: Pick<ReleaseWindow, 'shippedAt'>,
): boolean => shippedAt !== null && (createdAt >= shippedAt || (finishedAt !== null && finishedAt >= shippedAt));

/** Returns the deployment with its arrival (when it was recorded or finished) no earlier than `shippedAt`. */
export const arrivedAfter = (
  deployment: Deployment,
  arrival: 'createdAt' | 'finishedAt',
  shippedAt: Instant,
): Deployment => ({ ...deployment, [arrival]: Math.max(deployment[arrival] ?? shippedAt, shippedAt) });

/** Why a deployment does not count in a window it lies in; null: it counts. */
const deploymentReason = (
  deployment: ReportedDeployment,
  window: ReleaseWindow,
  ofProject: readonly string[] | null,
): NotCountedReason | null => {
  if (countsAsReturn(deployment)) return 'rollback_pending_outcome';
  const environments = window.environments === undefined ? ofProject : window.environments;
  if (environments !== null && !environments.includes(deployment.environment)) return 'environment_not_counted';
  if (missedShipping(deployment, window)) return 'release_frozen';
  return deployment.status === 'started' ? 'still_in_progress' : null;
};

/** Makes the receipt of a deployment: a line for each release whose window holds its start, and whether it counts. */
export const deploymentAttribution = (
  deployment: ReportedDeployment,
  { project, environments, releases }: ProjectAt,
): Attribution => {
  const attributed = releases
    .filter((window) => contains({ from: window.startsAt, to: window.endsAt }, deployment.startedAt))
    .map((window) => attributedTo(window, deploymentReason(deployment, window, environments)));
  return {
    project: { id: project.id, name: project.name },
    releases: attributed,
    axis: 'stability',
    reason: attributed.length === 0 ? 'no_release_window' : null,
  };
};

type JudgedRun = RunOrder & Pick<TestRun, 'setAside'>;

/** Why a run does not count in its release; null: it counts. */
const testRunReason = (
  run: JudgedRun,
  { release, verification, latest, latestOfSuite, otherSuiteSetAside }: TestRunTarget,
): NotCountedReason | null => {
  const shippedAt = release?.shippedAt ?? null;
  if (shippedAt !== null && run.recordedAt >= shippedAt) return 'release_frozen';
  if (run.setAside !== null) return 'set_aside';
  const rival = verification === 'latest_run' ? latest : latestOfSuite;
  if (rival !== null && isLater(rival, run)) return 'superseded_by_newer_run';
  return otherSuiteSetAside ? 'other_suite_set_aside' : null;
};

/**
 * The receipt of a test run: it counts for its release unless a later run (under `latest_per_suite`: of its suite) took its
 * place, an owner set it or the latest run of another suite aside, or the release had shipped when it was recorded.
 */
export const testRunAttribution = (run: JudgedRun, target: TestRunTarget): Attribution => {
  const { project, release } = target;
  return {
    project: { id: project.id, name: project.name },
    releases: release === null ? [] : [attributedTo(release, testRunReason(run, target))],
    axis: 'verification',
    reason: release === null ? 'no_release_window' : null,
  };
};

/** A deployment with its receipt. */
export interface DeploymentView {
  readonly deployment: Deployment;
  readonly attribution: Attribution;
}

/** The view of a deployment, from its project as at the deployment's start. */
export const deploymentView = (deployment: Deployment, at: ProjectAt): DeploymentView => ({
  deployment,
  attribution: deploymentAttribution(deployment, at),
});

/** A test run with its receipt. */
export interface TestRunView {
  readonly testRun: TestRun;
  readonly attribution: Attribution;
}

/** The view of a test run, from the target of its project, release and suite. */
export const testRunView = (testRun: TestRun, target: TestRunTarget): TestRunView => ({
  testRun,
  attribution: testRunAttribution(testRun, target),
});

/**
 * Returns why a record counts for no release; null: it counts for at least one. Where a deployment lies in several
 * windows, the reason of a release that is not frozen comes first, since people can still act on that one.
 */
export const notCountedReason = ({ releases, reason }: Attribution): NotCountedReason | null => {
  if (releases.some(({ counts }) => counts)) return null;
  const reasons = releases.map((release) => release.reason);
  return reason ?? reasons.find((one) => one !== 'release_frozen') ?? reasons[0] ?? null;
};

/** Why a record that is listed under an axis does not count there. */
type RowReason = NotCountedReason | 'stale_test_run' | 'canceled';

/** Whether a record counts in the axis it is listed under; the reason only when it does not. */
export interface CountStatus {
  readonly counts: boolean;
  readonly reason: RowReason | null;
}

const countStatus = (reason: RowReason | null): CountStatus => ({ counts: reason === null, reason });

/** An issue under scope, or a bug under quality: all count but the canceled ones. */
export const issueCountStatus = ({ state }: Pick<Issue, 'state'>): CountStatus =>
  countStatus(state === 'canceled' ? 'canceled' : null);

/** How a checklist item counts. One that awaits an owner's confirmation counts as open, and has that as its reason. */
export interface ChecklistItemCountStatus {
  readonly counts: boolean;
  readonly reason: 'not_applicable' | 'awaiting_confirmation' | null;
}

/** A checklist item under ops: all count but those that an owner confirmed not to apply. */
export const checklistItemCountStatus = (item: Pick<ChecklistItem, 'state' | 'mark'>): ChecklistItemCountStatus => {
  if (awaitsConfirmation(item)) return { counts: true, reason: 'awaiting_confirmation' };
  const counts = item.state !== 'not_applicable';
  return { counts, reason: counts ? null : 'not_applicable' };
};

/** How a record counts for one release, by what its receipt says about that release. */
export const receiptCountStatus = ({ releases, reason }: Attribution, releaseId: string): CountStatus => {
  const line = releases.find(({ id }) => id === releaseId);
  return countStatus(line === undefined ? (reason ?? 'no_release_window') : line.reason);
};

/** How a test run counts for verification at `at`: as its receipt says, unless it is older than the policy allows. */
export const testRunCountStatus = (
  { testRun, attribution }: TestRunView,
  { freshnessHours }: Pick<Policy, 'freshnessHours'>,
  at: Instant,
): CountStatus => {
  const received = receiptCountStatus(attribution, testRun.releaseId);
  const stale = freshnessHours !== null && at >= staleFrom(testRun.ranAt, freshnessHours);
  return received.counts && stale ? countStatus('stale_test_run') : received;
};

/** Returns the facts without one deployment that counts. */
export const withoutDeployment = (facts: ReleaseFacts, { status }: Pick<Deployment, 'status'>): ReleaseFacts => {
  const { succeeded, failed, inProgress } = facts.stability;
  const stability = {
    succeeded: status === 'success' ? Math.max(0, succeeded - 1) : succeeded,
    failed: status === 'failure' ? Math.max(0, failed - 1) : failed,
    inProgress,
  };
  return { ...facts, stability };
};

/**
 * Returns the facts without one test run that counts.
 * @param before the run before it, under `latest_per_suite` of its suite: takes its place
 * @param ofSuite the run before it in its suite: verification is unmeasured where that one is set aside
 */
export const withoutTestRun = (
  facts: ReleaseFacts,
  run: TestRun,
  before: TestRun | null,
  ofSuite: TestRun | null,
): ReleaseFacts => {
  const counted = facts.verification;
  const others = counted === null ? 0 : counted.runs - 1;
  if (ofSuite !== null && ofSuite.setAside !== null)
    return { ...facts, verification: null, testRunSetAside: { suite: ofSuite.suite } };
  if (counted === null || (others === 0 && before === null)) return { ...facts, verification: null };
  const verification: VerificationFacts = {
    ...counted,
    passed: counted.passed - run.passed + (before?.passed ?? 0),
    total: counted.total - run.total + (before?.total ?? 0),
    ranAt: before === null ? counted.ranAt : Math.min(counted.ranAt, before.ranAt),
    runs: others + (before === null ? 0 : 1),
  };
  return { ...facts, verification };
};

/** Returns the score of the release, and its score with the facts `without`; of a shipped release as of shipping. */
export const contribution = (inputs: ReleaseInputs, without: ReleaseFacts, now: Instant): Contribution => {
  const at = Math.min(now, inputs.release.shippedAt ?? now);
  const scoreOf = (facts: ReleaseFacts) => liveReport({ ...inputs, facts }, at, { nextSteps: false }).score;
  return { scoreWith: scoreOf(inputs.facts), scoreWithout: scoreOf(without) };
};

/** Adds to the receipt the contribution to each release that the record counts for. */
export const withContributions = (
  attribution: Attribution,
  allInputs: readonly (ReleaseInputs | undefined)[],
  without: (facts: ReleaseFacts) => ReleaseFacts,
  now: Instant,
): Attribution => {
  const releases = attribution.releases.map((line) => {
    const inputs = allInputs.find((one) => one?.release.id === line.id);
    if (!line.counts || inputs === undefined) return line;
    return { ...line, contribution: contribution(inputs, without(inputs.facts), now) };
  });
  return { ...attribution, releases };
};
