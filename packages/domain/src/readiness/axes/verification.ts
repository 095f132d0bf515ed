import type { Instant } from '../../time.js';
import type { ReleaseFacts, SuiteRun, VerificationFacts } from '../facts.js';
import { type FaultList, isCount, isMoment, type Members, memberCount } from '../faults.js';
import { fromHundredths, type Share, share, shareInHundredths, unmeasured } from '../numbers.js';
import { limitMs, type Policy } from '../policy.js';
import type { AxisReading } from '../report.js';
import { limitText } from '../words.js';

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
export const readVerification = (
  all: ReleaseFacts,
  policy: Policy,
  { part, whole, cause }: Share,
  facts = all.verification,
): AxisReading =>
  cause === null && facts !== null
    ? {
        axis: 'verification',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight: policy.weights.verification,
        facts,
        explanation: explain(facts, policy),
        changeFailureRate: null,
        asOf: null,
      }
    : {
        axis: 'verification',
        state: 'unmeasured',
        cause: cause ?? 'no_test_run',
        weight: policy.weights.verification,
        facts,
        explanation: explainUnmeasured(all, policy),
        changeFailureRate: null,
        asOf: null,
        ...(all.testRunSetAside ? { setAside: all.testRunSetAside } : {}),
      };

const COUNTS = Object.freeze({ passed: 'passed', total: 'total' });
const RUN = Object.freeze({ ...COUNTS, suite: 'suite' });
const NAMES = Object.freeze({
  ...RUN,
  ranAt: 'ran_at',
  commitSha: 'commit_sha',
  runs: 'runs',
  worseSuite: 'worse_suite',
});
const SET_ASIDE = Object.freeze({ suite: 'suite' });

const countsFaults = (faults: FaultList, run: Members, pointer: string): void => {
  const counts = faults.counts(run, pointer, COUNTS);
  if (counts !== null)
    faults.atMost(counts.passed, counts.total, `${pointer}/passed`, 'No more tests can pass than ran');
  faults.textOrNull(run.suite, `${pointer}/suite`);
};

/** Finds what is wrong with what is said of a run that is set aside, and answers it as it was read; null is what it is where there is none. */
export const setAsideFaults = (
  faults: FaultList,
  { testRunSetAside = null, verification }: Members,
): Members | null => {
  const setAside = testRunSetAside === null ? null : faults.object(testRunSetAside, '/test_run_set_aside', SET_ASIDE);
  if (setAside === null) return null;
  faults.textOrNull(setAside.suite, '/test_run_set_aside/suite');
  if (verification !== null)
    faults.add('/verification', 'does_not_fit', 'It must be null while the latest test run of a suite is set aside');
  return setAside;
};

/** Finds what is wrong with the facts of verification, and answers them as they were read; null is what they are before a test run was recorded. */
export const verificationFaults = (faults: FaultList, { verification }: Members): Members | null => {
  const facts = verification === null ? null : faults.object(verification, '/verification', NAMES);
  if (facts === null) return null;
  countsFaults(faults, facts, '/verification');
  faults.moment(facts.ranAt, '/verification/ran_at');
  faults.textOrNull(facts.commitSha, '/verification/commit_sha');
  faults.count(facts.runs, '/verification/runs');
  const { worseSuite = null } = facts;
  const worse = worseSuite === null ? null : faults.object(worseSuite, '/verification/worse_suite', RUN);
  if (worse !== null) countsFaults(faults, worse, '/verification/worse_suite');
  return { ...facts, worseSuite: worse };
};

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

type SetAside = NonNullable<ReleaseFacts['testRunSetAside']>;

/** A fast check of the run that is set aside: what is said of it, read once, where it has no fault; undefined means unknown. */
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

/** A fast check: the facts, each read once, where they have no fault; undefined means unknown. */
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
