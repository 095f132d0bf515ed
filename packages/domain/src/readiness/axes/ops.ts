import { NAMED_ITEMS, type OpsFacts, type ReleaseFacts } from '../facts.js';
import { type FaultList, isCount, type Members, memberCount } from '../fault-list.js';
import { fromHundredths, shareInHundredths } from '../hundredths.js';
import type { AxisReading } from '../readiness-report.js';
import { type Share, share, unmeasured } from '../share.js';
import { counted } from '../wording.js';
import { LEFT_OUT, leftOutFaults, leftOutFits, leftOutText } from './left-out.js';

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
        explanation: `${facts.done} of ${counted(facts.total, 'checklist item')} done${leftOutText(facts)}`,
        changeFailureRate: null,
        asOf: null,
      }
    : {
        axis: 'ops',
        state: 'unmeasured',
        cause,
        weight,
        facts,
        explanation: `No checklist item applies to the release: add one to its launch checklist${leftOutText(facts)}`,
        changeFailureRate: null,
        asOf: null,
      };

const COUNTS = Object.freeze({ done: 'done', total: 'total' });
const NAMES = Object.freeze({ ...COUNTS, openItems: 'open_items', ...LEFT_OUT });

/** Finds what is wrong with the facts of ops. */
export const opsFaults = (faults: FaultList, { ops }: Members): void => {
  const facts = faults.object(ops, '/ops', NAMES);
  if (facts === null) return;
  const counts = faults.counts(facts, '/ops', COUNTS);
  if (counts !== null)
    faults.atMost(counts.done, counts.total, '/ops/done', 'No more items can be done than there are');
  const titles = faults.list(facts.openItems, '/ops/open_items', NAMED_ITEMS) ?? [];
  for (const [index, title] of titles.entries()) faults.text(title, `/ops/open_items/${index}`);
  leftOutFaults(faults, facts);
};

const areTitles = (titles: readonly unknown[]): boolean => {
  if (!Array.isArray(titles) || titles.length > NAMED_ITEMS) return false;
  for (const title of titles) if (typeof title !== 'string') return false;
  return true;
};

/** A fast check: true means that they have no fault; false means unknown. */
export const opsFits = ({ ops }: ReleaseFacts): boolean =>
  isCount(ops.done) &&
  isCount(ops.total) &&
  ops.done <= ops.total &&
  areTitles(ops.openItems) &&
  leftOutFits(ops) &&
  memberCount(ops) === 3 + (ops.notApplicable === undefined ? 0 : 1) + (ops.removed === undefined ? 0 : 1);
