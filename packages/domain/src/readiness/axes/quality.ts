import type { Instant } from '../../time.js';
import type { UnmeasuredCause } from '../axis.js';
import type { QualityFacts, ReleaseFacts, ScopeFacts } from '../facts.js';
import { countsIn, type FaultList, isCount, type Members, memberCount } from '../faults.js';
import { fromHundredths, type Share, share, shareInHundredths, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { asOfText, counted, issuesMissing } from '../words.js';

/**
 * Resolved bugs of all that are not canceled; all of it when the release has issues but no bug. Unmeasured without any issue,
 * and while they are being imported.
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
  { part, whole, cause }: Share,
  asOf: Instant | null,
): AxisReading =>
  cause === null
    ? {
        axis: 'quality',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight,
        facts: quality,
        explanation: explain(quality, scope.total, asOf),
        changeFailureRate: null,
        asOf,
      }
    : {
        axis: 'quality',
        state: 'unmeasured',
        cause,
        weight,
        facts: quality,
        explanation: explainUnmeasured(cause, asOf),
        changeFailureRate: null,
        asOf,
      };

const COUNTS = Object.freeze({ resolved: 'resolved', total: 'total' });
const NAMES = Object.freeze({ ...COUNTS, open: 'open' });
const SEVERITIES = Object.freeze({ critical: 'critical', major: 'major', minor: 'minor', unspecified: 'unspecified' });
const ISSUES = Object.freeze({ done: 'done', total: 'total' });

/** Finds what is wrong with the facts of quality, by themselves and beside the issues, which bugs are; answers them as they were read. */
export const qualityFaults = (faults: FaultList, { scope, quality }: Members): Members | null => {
  const facts = faults.object(quality, '/quality', NAMES);
  if (facts === null) return null;
  const bugs = faults.counts(facts, '/quality', COUNTS);
  const bySeverity = faults.object(facts.open, '/quality/open', SEVERITIES);
  const open = bySeverity && faults.counts(bySeverity, '/quality/open', SEVERITIES);
  const plain = { ...facts, open: bySeverity };
  if (bugs === null || open === null) return plain;
  const { resolved, total } = bugs;
  faults.atMost(resolved, total, '/quality/resolved', 'No more bugs can be resolved than there are');
  const issues = countsIn(scope, ISSUES);
  if (issues !== null) {
    const { done } = issues;
    faults.atMost(total, issues.total, '/quality/total', 'Bugs are issues: there cannot be more of them');
    faults.atMost(resolved, done, '/quality/resolved', 'Resolved bugs are done issues: there cannot be more of them');
    const openIssues = issues.total - done;
    faults.atMost(total - resolved, openIssues, '/quality', 'Open bugs are open issues: there cannot be more of them');
  }
  if (open.critical + open.major + open.minor + open.unspecified !== total - resolved)
    faults.add('/quality/open', 'does_not_fit', 'Open bugs must sum up to all minus resolved');
  return plain;
};

/** A fast check beside a scope that fits: the facts, each read once, where they have no fault; undefined means unknown. */
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
