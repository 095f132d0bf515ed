import type { OpsFacts } from '../facts.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';

/** Done checklist items of all that apply; unmeasured without any. */
export const measureOps = (facts: OpsFacts): Share =>
  facts.total > 0 ? share(facts.done, facts.total) : unmeasured('no_checklist_items');

/** The ops axis as the report shows it. */
export const readOps = (facts: OpsFacts, weight: number, { part, whole, cause }: Share): AxisReading =>
  cause === null
    ? {
        axis: 'ops',
        state: 'measured',
        score: fromHundredths(shareInHundredths(part, whole)),
        weight,
        facts,
        explanation:
          facts.total === 1
            ? `${facts.done} of 1 checklist item done`
            : `${facts.done} of ${facts.total} checklist items done`,
        changeFailureRate: null,
        asOf: null,
      }
    : {
        axis: 'ops',
        state: 'unmeasured',
        cause,
        weight,
        facts,
        explanation: 'No checklist item applies to the release: add one to its launch checklist',
        changeFailureRate: null,
        asOf: null,
      };
