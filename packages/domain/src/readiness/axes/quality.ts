import type { Instant } from '../../instant.js';
import type { UnmeasuredCause } from '../axis.js';
import type { QualityFacts, ReleaseFacts } from '../facts.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { asOfText, counted, issuesMissing } from '../wording.js';

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
