import type { ReleaseFacts, StabilityFacts } from '../facts.js';
import { type FaultList, isCount, type Members, memberCount } from '../fault-list.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { Policy } from '../policy.js';
import type { AxisReading, ChangeFailureRate } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { wilsonInterval } from '../wilson-interval.js';
import { counted } from '../wording.js';

/** Succeeded deployments of all finished ones (1 - change failure rate); unmeasured below the policy's sample. */
export const measureStability = ({ succeeded, failed }: StabilityFacts, policy: Policy): Share => {
  const finished = succeeded + failed;
  if (finished === 0) return unmeasured('no_finished_deployment');
  return finished < policy.minFinishedDeployments ? unmeasured('too_few_deployments') : share(succeeded, finished);
};

const changeFailureRate = ({ succeeded, failed }: StabilityFacts): ChangeFailureRate | null => {
  const finished = succeeded + failed;
  return finished === 0 ? null : { rate: failed / finished, interval: wilsonInterval(failed, finished) };
};

const explain = ({ succeeded, failed, inProgress }: StabilityFacts): string =>
  succeeded + failed === 1
    ? `${succeeded} of 1 finished deployment succeeded, ${inProgress} in progress; this counts failed deployments and does not see incidents after a successful one`
    : `${succeeded} of ${succeeded + failed} finished deployments succeeded, ${inProgress} in progress; this counts failed deployments and does not see incidents after a successful one`;

const explainUnmeasured = ({ succeeded, failed, inProgress }: StabilityFacts, least: number): string => {
  const finished = succeeded + failed;
  return finished === 0
    ? `No deployment has finished in the release window, ${inProgress} in progress: report deployments from the pipeline`
    : `${counted(finished, 'finished deployment')}, ${failed} failed, ${inProgress} in progress; the policy asks for at least ${least} finished: report deployments from the pipeline`;
};

/** The stability axis as the report shows it: always with the change failure rate, its interval and its limits. */
export const readStability = (facts: StabilityFacts, policy: Policy, { part, whole, cause }: Share): AxisReading =>
  cause === null
    ? {
        axis: 'stability',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight: policy.weights.stability,
        facts,
        explanation: explain(facts),
        changeFailureRate: changeFailureRate(facts),
        asOf: null,
      }
    : {
        axis: 'stability',
        state: 'unmeasured',
        cause,
        weight: policy.weights.stability,
        facts,
        explanation: explainUnmeasured(facts, policy.minFinishedDeployments),
        changeFailureRate: changeFailureRate(facts),
        asOf: null,
      };

const NAMES = Object.freeze({ succeeded: 'succeeded', failed: 'failed', inProgress: 'in_progress' });

/** Finds what is wrong with the facts of stability. */
export const stabilityFaults = (faults: FaultList, { stability }: Members): void => {
  const facts = faults.object(stability, '/stability', NAMES);
  if (facts !== null) faults.counts(facts, '/stability', NAMES);
};

/** A fast check: true means that they have no fault; false means unknown. */
export const stabilityFits = ({ stability }: ReleaseFacts): boolean =>
  isCount(stability.succeeded) &&
  isCount(stability.failed) &&
  isCount(stability.inProgress) &&
  memberCount(stability) === 3;
