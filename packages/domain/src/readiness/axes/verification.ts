import type { Instant } from '../../time.js';
import type { ReleaseFacts, SuiteRun, VerificationFacts } from '../facts.js';
import {
  atMost,
  countFaults,
  isCount,
  isMoment,
  isTextOrNull,
  memberCount,
  momentFaults,
  objectFaults,
  textOrNullFaults,
  unlessMissing,
  unlessNull,
} from '../faults.js';
import { type Share, share, unmeasured } from '../numbers.js';
import { limitMs, type Policy } from '../policy.js';
import type { AxisReading } from '../report.js';
import { limitText } from '../words.js';
import { readingOf } from './reading.js';

/** The first moment at which a run is stale: more than `freshnessHours`, in whole minutes, after it ran. */
export const staleFrom = (ranAt: Instant, freshnessHours: number): Instant => ranAt + limitMs(freshnessHours) + 1;

/** Passed tests of all that ran in the run that counts; unmeasured without one, when it is stale, or while the latest one of a suite is set aside. */
export const measureVerification = (
  { verification: facts, testRunSetAside }: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
): Share => {
  if (testRunSetAside !== undefined && testRunSetAside !== null) return unmeasured('test_run_set_aside');
  if (facts === null || facts.total === 0) return unmeasured('no_test_run');
  const { freshnessHours } = policy;
  return freshnessHours !== null && asOf >= staleFrom(facts.ranAt, freshnessHours)
    ? unmeasured('stale_test_run')
    : share(facts.passed, facts.total);
};

/** "the latest run of e2e". */
const latestOf = ({ suite }: Pick<SuiteRun, 'suite'>): string =>
  suite === null ? 'the latest run without a suite' : `the latest run of ${suite}`;

/** The worst suite beside the run that counts; null where the policy sums over all suites, or none passed less. */
export const worseSuiteOf = (facts: VerificationFacts | null, { verification }: Policy): SuiteRun | null => {
  const worse = facts?.worseSuite ?? null;
  if (facts === null || worse === null || verification !== 'latest_run') return null;
  return BigInt(worse.passed) * BigInt(facts.total) < BigInt(facts.passed) * BigInt(worse.total) ? worse : null;
};

/** "the latest run of e2e had 50 of 100". */
export const worseSuiteText = (worse: SuiteRun): string => `${latestOf(worse)} had ${worse.passed} of ${worse.total}`;

const explain = (facts: VerificationFacts, policy: Policy): string => {
  const { passed, total, runs, suite } = facts;
  const worse = worseSuiteOf(facts, policy);
  if (worse !== null)
    return `${suite ?? 'The latest run, without a suite'}: ${passed} of ${total}; ${worseSuiteText(worse)}`;
  const tests =
    total === 1 ? `${passed} of 1 test passed in the latest ` : `${passed} of ${total} tests passed in the latest `;
  if (runs > 1) return `${tests}runs of ${runs} suites`;
  return suite === null ? `${tests}test run` : `${tests}test run (${suite})`;
};

const explainUnmeasured = (
  { verification: facts, testRunSetAside }: ReleaseFacts,
  { freshnessHours }: Policy,
): string => {
  if (testRunSetAside !== undefined && testRunSetAside !== null)
    return `An owner set ${latestOf(testRunSetAside)} aside: record a newer one here or send it from CI`;
  if (facts === null || freshnessHours === null || facts.total === 0)
    return 'No test run was recorded: record one here or send it from CI';
  const which = facts.runs > 1 ? `The oldest of the ${facts.runs} suites' latest test runs` : 'The latest test run';
  return `${which} is older than ${limitText(freshnessHours)}: record a new one here or send it from CI`;
};

/** The verification axis as the report shows it. */
export const readVerification = (all: ReleaseFacts, policy: Policy, of: Share): AxisReading => {
  const { verification: facts, testRunSetAside: setAside } = all;
  const isMeasured = of.cause === null && facts !== null;
  const explanation = isMeasured ? explain(facts, policy) : explainUnmeasured(all, policy);
  const reading = readingOf('verification', facts, policy.weights.verification, of, explanation);
  return isMeasured || !setAside ? reading : Object.assign(reading, { setAside });
};

const countsFit = atMost('passed', 'total', 'No more tests can pass than ran');
const worseSuite = objectFaults({ suite: textOrNullFaults, passed: countFaults, total: countFaults }, countsFit);

/** Checks the facts of verification; null is what they are before a test run was recorded. */
export const verificationFactsFaults = unlessNull(
  objectFaults({ passed: countFaults, total: countFaults }, countsFit, {
    ranAt: momentFaults,
    suite: textOrNullFaults,
    commitSha: textOrNullFaults,
    runs: countFaults,
    worseSuite: unlessMissing(unlessNull(worseSuite)),
  }),
);

/** Checks the fact that the latest test run of a suite is set aside. */
export const setAsideFaults = unlessNull(objectFaults({ suite: textOrNullFaults }));

type SetAside = NonNullable<ReleaseFacts['testRunSetAside']>;

/**
 * Checks the suite that is set aside fast and returns a copy, each member read once; undefined: there may be a fault.
 */
export const plainSetAside = (setAside: SetAside): SetAside | undefined => {
  const { suite } = setAside;
  return isTextOrNull(suite) && memberCount(setAside) === 1 ? { suite } : undefined;
};

const plainWorse = (worse: SuiteRun): SuiteRun | undefined => {
  const { suite, passed, total } = worse;
  return isCount(passed) && isCount(total) && passed <= total && isTextOrNull(suite) && memberCount(worse) === 3
    ? { suite, passed, total }
    : undefined;
};

/** Checks the facts fast and returns a copy, each member read once; undefined: there may be a fault. */
export const plainVerification = (facts: VerificationFacts): VerificationFacts | undefined => {
  const { passed, total, ranAt, suite, commitSha, runs, worseSuite } = facts;
  const areCounts = isCount(passed) && isCount(total) && passed <= total && isCount(runs);
  if (!areCounts || !isMoment(ranAt) || !isTextOrNull(suite) || !isTextOrNull(commitSha)) return undefined;
  const members = memberCount(facts);
  if (worseSuite === undefined) return members === 6 ? { passed, total, ranAt, suite, commitSha, runs } : undefined;
  const worse = worseSuite === null ? null : plainWorse(worseSuite);
  return worse === undefined || members !== 7
    ? undefined
    : { passed, total, ranAt, suite, commitSha, runs, worseSuite: worse };
};
