import type { QualityFacts, ReleaseFacts } from '../facts.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { counted } from '../wording.js';

/** Resolved bugs of all that are not canceled; all of it when the release has issues but no bug. */
export const measureQuality = ({ scope, quality }: ReleaseFacts): Share => {
  if (quality.total > 0) return share(quality.resolved, quality.total);
  return scope.total > 0 ? share(1, 1) : unmeasured('no_issues');
};

const explain = ({ resolved, total, open }: QualityFacts, issues: number): string => {
  if (total === 0) return `No bug among ${counted(issues, 'issue')}`;
  const all = total === 1 ? `${resolved} of 1 bug resolved` : `${resolved} of ${total} bugs resolved`;
  if (resolved === total) return all;
  return open.critical === 0
    ? `${all}, ${total - resolved} open`
    : `${all}, ${total - resolved} open, ${open.critical} of them critical`;
};

/** The quality axis as the report shows it. */
export const readQuality = (
  { scope, quality }: ReleaseFacts,
  weight: number,
  { part, whole, cause }: Share,
): AxisReading =>
  cause === null
    ? {
        axis: 'quality',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight,
        facts: quality,
        explanation: explain(quality, scope.total),
        changeFailureRate: null,
      }
    : {
        axis: 'quality',
        state: 'unmeasured',
        cause,
        weight,
        facts: quality,
        explanation: 'The release has no issue that counts yet, so nothing is known about its bugs: add issues to it',
        changeFailureRate: null,
      };
