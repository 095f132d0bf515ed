import type { Instant } from '../../time.js';
import type { UnmeasuredCause } from '../axis.js';
import type { QualityFacts, ReleaseFacts, ScopeFacts } from '../facts.js';
import {
  atMost,
  countFaults,
  countsIn,
  type FaultList,
  isCount,
  type Members,
  memberCount,
  objectFaults,
} from '../faults.js';
import { type Share, share, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { asOfText, counted, issuesMissing } from '../words.js';
import { readingOf } from './reading.js';

/**
 * Resolved bugs of all that are not canceled; 1 of 1 when the release has issues but no bug. Unmeasured without any
 * issue, and while issues are being imported.
 */
export const measureQuality = ({ scope, quality, issuesPending }: ReleaseFacts): Share => {
  if (issuesPending === true) return unmeasured('issues_being_imported');
  if (quality.total > 0) return share(quality.resolved, quality.total);
  return scope.total > 0 ? share(1, 1) : unmeasured('no_issues');
};

const count = ({ resolved, total, open }: QualityFacts, issues: number): string => {
  if (total === 0) return `No bug among ${counted(issues, 'issue')}`;
  const all = total === 1 ? `${resolved} of 1 bug resolved` : `${resolved} of ${total} bugs resolved`;
  if (resolved === total) return all;
  return open.critical === 0
    ? `${all}, ${total - resolved} open`
    : `${all}, ${total - resolved} open, ${open.critical} of them critical`;
};

const explain = (quality: QualityFacts, issues: number, asOf: Instant | null): string => {
  const all = count(quality, issues);
  return asOf === null ? all : all + asOfText(asOf);
};

const explainUnmeasured = (cause: UnmeasuredCause, asOf: Instant | null): string => {
  if (cause === 'issues_being_imported') return issuesMissing('how many of its bugs are resolved', asOf);
  return asOf === null
    ? 'The release has no issue that counts yet, so nothing is known about its bugs: add issues to it'
    : `The release has no issue that counts, so nothing is known about its bugs${asOfText(asOf)}`;
};

/** The quality axis as the report shows it. `asOf`: as of when the issues are known; null: they are current. */
export const readQuality = (
  { scope, quality }: ReleaseFacts,
  weight: number,
  of: Share,
  asOf: Instant | null,
): AxisReading => {
  const explanation = of.cause === null ? explain(quality, scope.total, asOf) : explainUnmeasured(of.cause, asOf);
  return readingOf('quality', quality, weight, of, explanation, null, asOf);
};

/** Checks the facts of quality by themselves. */
export const qualityFactsFaults = objectFaults({
  resolved: countFaults,
  total: countFaults,
  open: objectFaults({ critical: countFaults, major: countFaults, minor: countFaults, unspecified: countFaults }),
});

const bugsFit = atMost('resolved', 'total', 'No more bugs can be resolved than there are');

/** The rule that bugs sum up and fit into the issues, since every bug is an issue. */
export const bugsFitIssues = (faults: FaultList, at: string, { scope, quality }: Members): void => {
  const bugs = countsIn(quality, ['resolved', 'total']);
  const open = countsIn((quality as Members | undefined)?.open, ['critical', 'major', 'minor', 'unspecified']);
  if (bugs === null || open === null) return;
  const { resolved, total } = bugs;
  const pointer = `${at}/quality`;
  const demand = (fits: boolean, place: string, message: string): void => {
    if (!fits) faults.add(pointer + place, 'does_not_fit', message);
  };
  bugsFit(faults, pointer, bugs);
  const issues = countsIn(scope, ['done', 'total']);
  if (issues !== null) {
    const { done } = issues;
    demand(total <= issues.total, '/total', 'Bugs are issues: there cannot be more of them');
    demand(resolved <= done, '/resolved', 'Resolved bugs are done issues: there cannot be more of them');
    demand(total - resolved <= issues.total - done, '', 'Open bugs are open issues: there cannot be more of them');
  }
  const sum = open.critical + open.major + open.minor + open.unspecified;
  demand(sum === total - resolved, '/open', 'Open bugs must sum up to all minus resolved');
};

/** Checks fast, beside a faultless scope, and returns a copy, each member read once; undefined: maybe a fault. */
export const plainQuality = (facts: QualityFacts, scope: ScopeFacts): QualityFacts | undefined => {
  const { resolved, total, open } = facts;
  const { critical, major, minor, unspecified } = open;
  return isCount(resolved) &&
    isCount(total) &&
    resolved <= total &&
    resolved <= scope.done &&
    total - resolved <= scope.total - scope.done &&
    isCount(critical) &&
    isCount(major) &&
    isCount(minor) &&
    isCount(unspecified) &&
    critical + major + minor + unspecified === total - resolved &&
    memberCount(open) === 4 &&
    memberCount(facts) === 3
    ? { resolved, total, open: { critical, major, minor, unspecified } }
    : undefined;
};
