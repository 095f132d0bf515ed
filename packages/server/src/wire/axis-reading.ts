import type { AxisReading as WireReading } from '@shipworthy/client/contract';
import type { AxisReading, ChangeFailureRate, StabilityFacts, VerificationFacts } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** The test run that counts. */
export const verificationFacts = ({ passed, total, ranAt, suite, commitSha, runs }: VerificationFacts) => ({
  passed,
  total,
  ran_at: wireMoment(ranAt),
  suite,
  commit_sha: commitSha,
  runs,
});

const stabilityFacts = ({ succeeded, failed, inProgress }: StabilityFacts, rate: ChangeFailureRate | null) => ({
  succeeded,
  failed,
  in_progress: inProgress,
  change_failure_rate: rate === null ? null : rate.rate,
  interval: rate === null ? null : { low: rate.interval.low, high: rate.interval.high, level: rate.interval.level },
});

const factsOf = (reading: AxisReading): unknown => {
  switch (reading.axis) {
    case 'scope':
      return { done: reading.facts.done, total: reading.facts.total };
    case 'quality': {
      const { resolved, total, open } = reading.facts;
      const { critical, major, minor, unspecified } = open;
      return { resolved, total, open: { critical, major, minor, unspecified } };
    }
    case 'ops':
      return { done: reading.facts.done, total: reading.facts.total, open_items: reading.facts.openItems };
    case 'verification':
      return reading.facts === null ? undefined : verificationFacts(reading.facts);
    case 'stability':
      return stabilityFacts(reading.facts, reading.changeFailureRate);
  }
};

/** What one axis yields; without `facts` where nothing at all is known, with `as_of` only where it is not now. */
export const wireReading = (reading: AxisReading): WireReading => {
  // A report frozen before readings could be as of an earlier moment says nothing about it.
  const { axis, weight, explanation, asOf = null } = reading;
  const facts = factsOf(reading);
  const yielded =
    reading.state === 'measured'
      ? { state: reading.state, score: reading.score }
      : { state: reading.state, cause: reading.cause };
  const known = asOf === null ? {} : { as_of: wireMoment(asOf) };
  // Which facts go with which axis is told by the axis alone, which the type of the union cannot follow.
  return { axis, ...yielded, weight, ...known, ...(facts === undefined ? {} : { facts }), explanation } as WireReading;
};
