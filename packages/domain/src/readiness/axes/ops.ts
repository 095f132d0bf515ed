import { NAMED_ITEMS, type OpsFacts } from '../facts.js';
import {
  anyText,
  atMost,
  countFaults,
  entriesOf,
  flagFaults,
  isCount,
  listFaults,
  memberCount,
  momentFaults,
  objectFaults,
  readWithFaults,
  sentAs,
  textOrNullFaults,
  unlessMissing,
  unlessNull,
} from '../faults.js';
import { type Share, share, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { counted } from '../words.js';
import { readingOf } from './reading.js';

/** The members of ops facts beside the counts; they are shown and never counted. */
type LeftOut = Pick<OpsFacts, 'notApplicable' | 'removed'>;

/** "1 not applicable", or "1 or more not applicable" where the list it was counted in is full. */
const listed = (count: number, { length }: readonly unknown[], what: string): readonly string[] =>
  count === 0 ? [] : [`${count}${length < NAMED_ITEMS ? '' : ' or more'} ${what}`];

/** The items left out of the checklist as text, such as "; 1 not applicable, 1 removed"; empty when there are none. */
const leftOutText = (facts: LeftOut): string => {
  if (facts.notApplicable === undefined && facts.removed === undefined) return '';
  const { notApplicable = [], removed = [] } = facts;
  const confirmed = notApplicable.filter((mark) => mark.confirmed).length;
  const words = [
    ...listed(confirmed, notApplicable, 'not applicable'),
    ...listed(notApplicable.length - confirmed, notApplicable, "awaiting an owner's confirmation"),
    ...listed(removed.length, removed, 'removed'),
  ];
  return words.length === 0 ? '' : `; ${words.join(', ')}`;
};

/** Returns the facts with other counts and open items. A mark that awaits an owner is left out with its open item. */
export const withOpsCounts = (
  { notApplicable, removed }: LeftOut,
  counts: Pick<OpsFacts, 'done' | 'total' | 'openItems'>,
): OpsFacts => {
  const left = notApplicable?.filter(({ title, confirmed }) => confirmed || counts.openItems.includes(title)) ?? [];
  return {
    ...counts,
    ...(left.length === 0 ? {} : { notApplicable: left }),
    ...(removed === undefined ? {} : { removed }),
  };
};

const mark = objectFaults({
  title: anyText,
  reason: textOrNullFaults,
  markedBy: sentAs('by', textOrNullFaults),
  confirmedBy: textOrNullFaults,
  markedAt: sentAs('at', unlessNull(momentFaults)),
  confirmed: flagFaults,
});
const removal = objectFaults({
  title: anyText,
  removedBy: sentAs('by', anyText),
  removedAt: sentAs('at', momentFaults),
});
const LEFT_OUT = {
  notApplicable: unlessMissing(listFaults(NAMED_ITEMS, mark)),
  removed: unlessMissing(listFaults(NAMED_ITEMS, removal)),
};

/** Checks the facts of ops. */
export const opsFactsFaults = objectFaults(
  { done: countFaults, total: countFaults },
  atMost('done', 'total', 'No more items can be done than there are'),
  { openItems: listFaults(NAMED_ITEMS, anyText), ...LEFT_OUT },
);

/** Checks the members of the ops facts that may be missing. */
const leftOut = objectFaults(LEFT_OUT);

/** Checks the titles of open items fast and returns a copy, each read once; undefined: there may be a fault. */
const plainTitles = (titles: readonly string[]): readonly string[] | undefined => {
  if (!Array.isArray(titles)) return undefined;
  const { length } = titles as readonly string[];
  if (!(length <= NAMED_ITEMS)) return undefined;
  const read = entriesOf(titles as readonly string[], length);
  return read.every((title) => typeof title === 'string') ? read : undefined;
};

/** Done checklist items of all that apply; unmeasured without any. */
export const measureOps = (facts: OpsFacts): Share =>
  facts.total > 0 ? share(facts.done, facts.total) : unmeasured('no_checklist_items');

/** The ops axis as the report shows it. */
export const readOps = (facts: OpsFacts, weight: number, of: Share): AxisReading => {
  const explanation =
    of.cause === null
      ? `${facts.done} of ${counted(facts.total, 'checklist item')} done`
      : 'No checklist item applies to the release: add one to its launch checklist';
  return readingOf('ops', facts, weight, of, explanation + leftOutText(facts));
};

/**
 * Checks the facts fast and returns a copy, each member read once; undefined: there may be a fault. Items left out are
 * few, so they get the full check.
 */
export const plainOps = (facts: OpsFacts): OpsFacts | undefined => {
  const { done, total, openItems: titles, notApplicable, removed } = facts;
  if (!isCount(done) || !isCount(total) || done > total) return undefined;
  const openItems = plainTitles(titles);
  if (openItems === undefined) return undefined;
  const members = memberCount(facts);
  if (notApplicable === undefined && removed === undefined)
    return members === 3 ? { done, total, openItems } : undefined;
  const { read, faults } = readWithFaults(leftOut, '', { notApplicable, removed });
  const more = read as LeftOut;
  return faults.length === 0 && members === 3 + memberCount(more) ? { done, total, openItems, ...more } : undefined;
};
