import type { Deployment } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';
import type { ReleaseFacts, VerificationFacts } from '../readiness/facts.js';
import { liveReport } from '../release/live-report.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import type { TestRun } from '../test-run/test-run.js';
import type { Attribution, Contribution } from './attribution.js';

/** The facts as they were without one deployment that counts. */
export const withoutDeployment = (facts: ReleaseFacts, { status }: Pick<Deployment, 'status'>): ReleaseFacts => {
  const { succeeded, failed, inProgress } = facts.stability;
  const stability = {
    succeeded: status === 'success' ? Math.max(0, succeeded - 1) : succeeded,
    failed: status === 'failure' ? Math.max(0, failed - 1) : failed,
    inProgress,
  };
  return { ...facts, stability };
};

/** The facts as they were without one test run that counts; the run before it (under `latest_per_suite`: of its suite) takes its place. */
export const withoutTestRun = (facts: ReleaseFacts, run: TestRun, before: TestRun | null): ReleaseFacts => {
  const counted = facts.verification;
  const others = counted === null ? 0 : counted.runs - 1;
  if (before !== null && before.setAside !== null)
    return { ...facts, verification: null, testRunSetAside: { suite: before.suite } };
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

/** The score as it is, and as it would be with other facts; of a shipped release as it was when it shipped. */
export const contribution = (dossier: ReleaseDossier, without: ReleaseFacts, now: Instant): Contribution => {
  const at = Math.min(now, dossier.release.shippedAt ?? now);
  const scoreOf = (facts: ReleaseFacts) => liveReport({ ...dossier, facts }, at, { nextSteps: false }).score;
  return { scoreWith: scoreOf(dossier.facts), scoreWithout: scoreOf(without) };
};

/** The receipt with what the record does to each release it counts for. */
export const withContributions = (
  attribution: Attribution,
  dossiers: readonly (ReleaseDossier | undefined)[],
  without: (facts: ReleaseFacts) => ReleaseFacts,
  now: Instant,
): Attribution => {
  const releases = attribution.releases.map((line) => {
    const dossier = dossiers.find((one) => one?.release.id === line.id);
    if (!line.counts || dossier === undefined) return line;
    return { ...line, contribution: contribution(dossier, without(dossier.facts), now) };
  });
  return { ...attribution, releases };
};
