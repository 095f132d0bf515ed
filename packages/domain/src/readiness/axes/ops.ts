import { NAMED_ITEMS, type OpsFacts, type OpsMark, type OpsRemoval, type ReleaseFacts } from '../facts.js';
import { type FaultList, isCount, isMoment, type Members, memberCount } from '../faults.js';
import { fromHundredths, type Share, share, shareInHundredths, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { counted } from '../words.js';

/** What facts of ops may hold beside the counts: it is shown and never counted. */
type LeftOut = Pick<OpsFacts, 'notApplicable' | 'removed'>;

/** "1 not applicable", or "1 or more not applicable" where the list it was counted in is full. */
const listed = (count: number, { length }: readonly unknown[], what: string): readonly string[] =>
  count === 0 ? [] : [`${count}${length < NAMED_ITEMS ? '' : ' or more'} ${what}`];

/** What was left out of the checklist, with a semicolon before it: "; 1 not applicable, 1 removed". Empty: nothing was. */
export const leftOutText = (facts: LeftOut): string => {
  if (facts.notApplicable === undefined && facts.removed === undefined) return '';
  const { notApplicable = [], removed = [] } = facts;
  if (notApplicable.length + removed.length === 0) return '';
  const confirmed = notApplicable.filter((mark) => mark.confirmed).length;
  const words = [
    ...listed(confirmed, notApplicable, 'not applicable'),
    ...listed(notApplicable.length - confirmed, notApplicable, "awaiting an owner's confirmation"),
    ...listed(removed.length, removed, 'removed'),
  ];
  return `; ${words.join(', ')}`;
};

/** The facts with other counts and open items; marks that await an owner are gone with the open items they belong to. */
export const opsWith = (
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

const MARK = Object.freeze({
  title: 'title',
  reason: 'reason',
  markedBy: 'by',
  markedAt: 'at',
  confirmedBy: 'confirmed_by',
  confirmed: 'confirmed',
});
const REMOVAL = Object.freeze({ title: 'title', removedBy: 'by', removedAt: 'at' });

/** The members that may be missing, with the names they are sent under. */
export const LEFT_OUT = Object.freeze({ notApplicable: 'not_applicable', removed: 'removed' });

/** Finds what is wrong with them. */
export const leftOutFaults = (faults: FaultList, { notApplicable = [], removed = [] }: Members): void => {
  const marks = faults.list(notApplicable, '/ops/not_applicable', NAMED_ITEMS) ?? [];
  for (const [index, value] of marks.entries()) {
    const place = `/ops/not_applicable/${index}`;
    const mark = faults.object(value, place, MARK);
    if (mark === null) continue;
    faults.text(mark.title, `${place}/title`);
    for (const name of ['reason', 'markedBy', 'confirmedBy'] as const)
      faults.textOrNull(mark[name], `${place}/${MARK[name]}`);
    if (mark.markedAt !== null) faults.moment(mark.markedAt, `${place}/at`);
    faults.flag(mark.confirmed, `${place}/confirmed`);
  }
  const removals = faults.list(removed, '/ops/removed', NAMED_ITEMS) ?? [];
  for (const [index, value] of removals.entries()) {
    const place = `/ops/removed/${index}`;
    const removal = faults.object(value, place, REMOVAL);
    if (removal === null) continue;
    faults.text(removal.title, `${place}/title`);
    faults.text(removal.removedBy, `${place}/by`);
    faults.moment(removal.removedAt, `${place}/at`);
  }
};

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

const markFits = (mark: OpsMark): boolean =>
  typeof mark.title === 'string' &&
  isTextOrNull(mark.reason) &&
  isTextOrNull(mark.markedBy) &&
  isTextOrNull(mark.confirmedBy) &&
  (mark.markedAt === null || isMoment(mark.markedAt)) &&
  typeof mark.confirmed === 'boolean' &&
  memberCount(mark) === 6;

const removalFits = ({ title, removedBy, removedAt, ...rest }: OpsRemoval): boolean =>
  typeof title === 'string' && typeof removedBy === 'string' && isMoment(removedAt) && memberCount(rest) === 0;

const fit = <Entry>(entries: readonly Entry[], fits: (entry: Entry) => boolean): boolean =>
  Array.isArray(entries) && entries.length <= NAMED_ITEMS && entries.every(fits);

/** A fast check: true means that they have no fault; false means unknown. The caller counts the members. */
export const leftOutFits = ({ notApplicable, removed }: LeftOut): boolean =>
  (notApplicable === undefined || fit(notApplicable, markFits)) && (removed === undefined || fit(removed, removalFits));

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
