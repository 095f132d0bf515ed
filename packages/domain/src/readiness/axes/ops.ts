import type { OpsFacts, ReleaseFacts } from '../facts.js';
import { type FaultList, isCount, type Members, memberCount } from '../fault-list.js';
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

const COUNTS = Object.freeze({ done: 'done', total: 'total' });
const NAMES = Object.freeze({ ...COUNTS, openItems: 'open_items' });
/** How many open items are named at most. */
const MOST_TITLES = 20;

/** Finds what is wrong with the facts of ops. */
export const opsFaults = (faults: FaultList, { ops }: Members): void => {
  const facts = faults.object(ops, '/ops', NAMES);
  if (facts === null) return;
  const counts = faults.counts(facts, '/ops', COUNTS);
  if (counts !== null)
    faults.atMost(counts.done, counts.total, '/ops/done', 'No more items can be done than there are');
  const titles = faults.list(facts.openItems, '/ops/open_items', MOST_TITLES) ?? [];
  for (const [index, title] of titles.entries()) faults.text(title, `/ops/open_items/${index}`);
};

const areTitles = (titles: readonly unknown[]): boolean => {
  if (!Array.isArray(titles) || titles.length > MOST_TITLES) return false;
  for (const title of titles) if (typeof title !== 'string') return false;
  return true;
};

/** Whether nothing is wrong with them, told fast. */
export const opsFits = ({ ops }: ReleaseFacts): boolean =>
  isCount(ops.done) &&
  isCount(ops.total) &&
  ops.done <= ops.total &&
  areTitles(ops.openItems) &&
  memberCount(ops) === 3;
