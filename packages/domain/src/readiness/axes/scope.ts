import type { ScopeFacts } from '../facts.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';

/** Done issues of all that are not canceled; unmeasured without any. */
export const measureScope = (facts: ScopeFacts): Share =>
  facts.total > 0 ? share(facts.done, facts.total) : unmeasured('no_issues');

/** The scope axis as the report shows it. */
export const readScope = (facts: ScopeFacts, weight: number, { part, whole, cause }: Share): AxisReading =>
  cause === null
    ? {
        axis: 'scope',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight,
        facts,
        explanation:
          facts.total === 1 ? `${facts.done} of 1 issue done` : `${facts.done} of ${facts.total} issues done`,
        changeFailureRate: null,
      }
    : {
        axis: 'scope',
        state: 'unmeasured',
        cause,
        weight,
        facts,
        explanation: 'The release has no issue that counts yet: add issues to it, by hand or by import',
        changeFailureRate: null,
      };
