import type { Instant } from '../../instant.js';
import type { ReleaseFacts, VerificationFacts } from '../facts.js';
import { type FaultList, isCount, isMoment, type Members, memberCount } from '../fault-list.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import { limitMs, type Policy } from '../policy.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { counted } from '../wording.js';

/** The first moment at which a run is stale: more than `freshnessHours`, in whole minutes, after it ran. */
export const staleFrom = (ranAt: Instant, freshnessHours: number): Instant => ranAt + limitMs(freshnessHours) + 1;

/** Passed tests of all that ran in the run that counts; unmeasured without one, or when it is stale. */
export const measureVerification = (facts: VerificationFacts | null, policy: Policy, asOf: Instant): Share => {
  if (facts === null || facts.total === 0) return unmeasured('no_test_run');
  const { freshnessHours } = policy;
  return freshnessHours !== null && asOf >= staleFrom(facts.ranAt, freshnessHours)
    ? unmeasured('stale_test_run')
    : share(facts.passed, facts.total);
};

const explain = ({ passed, total, runs, suite }: VerificationFacts): string => {
  const tests =
    total === 1 ? `${passed} of 1 test passed in the latest ` : `${passed} of ${total} tests passed in the latest `;
  if (runs > 1) return `${tests}runs of ${runs} suites`;
  return suite === null ? `${tests}test run` : `${tests}test run (${suite})`;
};

const explainUnmeasured = (facts: VerificationFacts | null, freshnessHours: number | null): string => {
  if (facts === null || freshnessHours === null || facts.total === 0)
    return 'No test run was recorded: record one here or send it from CI';
  const which = facts.runs > 1 ? `The oldest of the ${facts.runs} suites' latest test runs` : 'The latest test run';
  return `${which} is older than ${counted(freshnessHours, 'hour')}: record a new one here or send it from CI`;
};

/** The verification axis as the report shows it. */
export const readVerification = (
  facts: VerificationFacts | null,
  policy: Policy,
  { part, whole, cause }: Share,
): AxisReading =>
  cause === null && facts !== null
    ? {
        axis: 'verification',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight: policy.weights.verification,
        facts,
        explanation: explain(facts),
        changeFailureRate: null,
        asOf: null,
      }
    : {
        axis: 'verification',
        state: 'unmeasured',
        cause: cause ?? 'no_test_run',
        weight: policy.weights.verification,
        facts,
        explanation: explainUnmeasured(facts, policy.freshnessHours),
        changeFailureRate: null,
        asOf: null,
      };

const COUNTS = Object.freeze({ passed: 'passed', total: 'total' });
const NAMES = Object.freeze({ ...COUNTS, ranAt: 'ran_at', suite: 'suite', commitSha: 'commit_sha', runs: 'runs' });

/** Finds what is wrong with the facts of verification; null is what they are before a test run was recorded. */
export const verificationFaults = (faults: FaultList, { verification }: Members): void => {
  const facts = verification === null ? null : faults.object(verification, '/verification', NAMES);
  if (facts === null) return;
  const counts = faults.counts(facts, '/verification', COUNTS);
  if (counts !== null)
    faults.atMost(counts.passed, counts.total, '/verification/passed', 'No more tests can pass than ran');
  faults.moment(facts.ranAt, '/verification/ran_at');
  faults.textOrNull(facts.suite, '/verification/suite');
  faults.textOrNull(facts.commitSha, '/verification/commit_sha');
  faults.count(facts.runs, '/verification/runs');
};

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** Whether nothing is wrong with them, told fast. */
export const verificationFits = ({ verification: facts }: ReleaseFacts): boolean =>
  facts === null ||
  (isCount(facts.passed) &&
    isCount(facts.total) &&
    facts.passed <= facts.total &&
    isMoment(facts.ranAt) &&
    isTextOrNull(facts.suite) &&
    isTextOrNull(facts.commitSha) &&
    isCount(facts.runs) &&
    memberCount(facts) === 6);
