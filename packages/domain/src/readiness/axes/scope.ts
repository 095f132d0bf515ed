import type { Instant } from '../../time.js';
import type { UnmeasuredCause } from '../axis.js';
import type { ReleaseFacts, ScopeFacts } from '../facts.js';
import { atMost, countFaults, isCount, memberCount, objectFaults } from '../faults.js';
import { type Share, share, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { asOfText, issuesMissing } from '../words.js';
import { readingOf } from './reading.js';

/** Done issues of all that are not canceled; unmeasured without any, and while they are being imported. */
export const measureScope = ({ scope, issuesPending }: ReleaseFacts): Share => {
  if (issuesPending === true) return unmeasured('issues_being_imported');
  return scope.total > 0 ? share(scope.done, scope.total) : unmeasured('no_issues');
};

const explain = ({ done, total }: ScopeFacts, asOf: Instant | null): string => {
  const all = total === 1 ? `${done} of 1 issue done` : `${done} of ${total} issues done`;
  return asOf === null ? all : all + asOfText(asOf);
};

const explainUnmeasured = (cause: UnmeasuredCause, asOf: Instant | null): string => {
  if (cause === 'issues_being_imported') return issuesMissing('how many of them are done', asOf);
  return asOf === null
    ? 'The release has no issue that counts yet: add issues to it, by hand or by import'
    : `The release has no issue that counts${asOfText(asOf)}`;
};

/** The scope axis as the report shows it. `asOf`: as of when the issues are known; null: they are current. */
export const readScope = (facts: ScopeFacts, weight: number, of: Share, asOf: Instant | null): AxisReading => {
  const explanation = of.cause === null ? explain(facts, asOf) : explainUnmeasured(of.cause, asOf);
  return readingOf('scope', facts, weight, of, explanation, null, asOf);
};

/** Checks the facts of scope. */
export const scopeFactsFaults = objectFaults(
  { done: countFaults, total: countFaults },
  atMost('done', 'total', 'No more issues can be done than there are'),
);

/** Checks the facts fast and returns a copy, each member read once; undefined: there may be a fault. */
export const plainScope = (facts: ScopeFacts): ScopeFacts | undefined => {
  const { done, total } = facts;
  return isCount(done) && isCount(total) && done <= total && memberCount(facts) === 2 ? { done, total } : undefined;
};
