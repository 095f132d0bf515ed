import type { Instant } from '../../instant.js';
import type { VerificationFacts } from '../facts.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { Policy } from '../policy.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { counted } from '../wording.js';

const MS_PER_HOUR = 3_600_000;

/** The first moment at which a run is stale: more than `freshnessHours` (above 0, fractions allowed) after it ran. */
export const staleFrom = (ranAt: Instant, freshnessHours: number): Instant =>
  ranAt + Math.floor(freshnessHours * MS_PER_HOUR) + 1;

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
