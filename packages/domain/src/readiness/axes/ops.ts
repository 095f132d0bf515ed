import { NAMED_ITEMS, type OpsFacts, type OpsMark, type OpsRemoval } from '../facts.js';
import { type FaultList, isCount, isMoment, type Members, memberCount } from '../faults.js';
import { fromHundredths, type Share, share, shareInHundredths, unmeasured } from '../numbers.js';
import type { AxisReading } from '../report.js';
import { counted } from '../words.js';

/** The members of ops facts beside the counts; they are shown and never counted. */
type LeftOut = Pick<OpsFacts, 'notApplicable' | 'removed'>;

/** "1 not applicable", or "1 or more not applicable" where the list it was counted in is full. */
const listed = (count: number, { length }: readonly unknown[], what: string): readonly string[] =>
  count === 0 ? [] : [`${count}${length < NAMED_ITEMS ? '' : ' or more'} ${what}`];

/** The items left out of the checklist as text, such as "; 1 not applicable, 1 removed"; empty when there are none. */
const leftOutText = (facts: LeftOut): string => {
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
const LEFT_OUT = Object.freeze({ notApplicable: 'not_applicable', removed: 'removed' });

/** Finds what is wrong with these members; returns them as they were read. */
const leftOutFaults = (faults: FaultList, { notApplicable, removed }: Members): Members => {
  const marks =
    notApplicable === undefined ? [] : (faults.list(notApplicable, '/ops/not_applicable', NAMED_ITEMS) ?? []);
  for (const [index, value] of marks.entries()) {
    const place = `/ops/not_applicable/${index}`;
    const mark = faults.object(value, place, MARK);
    marks[index] = mark;
    if (mark === null) continue;
    faults.text(mark.title, `${place}/title`);
    for (const name of ['reason', 'markedBy', 'confirmedBy'] as const)
      faults.textOrNull(mark[name], `${place}/${MARK[name]}`);
    if (mark.markedAt !== null) faults.moment(mark.markedAt, `${place}/at`);
    faults.flag(mark.confirmed, `${place}/confirmed`);
  }
  const removals = removed === undefined ? [] : (faults.list(removed, '/ops/removed', NAMED_ITEMS) ?? []);
  for (const [index, value] of removals.entries()) {
    const place = `/ops/removed/${index}`;
    const removal = faults.object(value, place, REMOVAL);
    removals[index] = removal;
    if (removal === null) continue;
    faults.text(removal.title, `${place}/title`);
    faults.text(removal.removedBy, `${place}/by`);
    faults.moment(removal.removedAt, `${place}/at`);
  }
  return {
    ...(notApplicable === undefined ? {} : { notApplicable: marks }),
    ...(removed === undefined ? {} : { removed: removals }),
  };
};

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

const plainMark = (mark: OpsMark): OpsMark | undefined => {
  const { title, reason, markedBy, markedAt, confirmedBy, confirmed } = mark;
  const areTexts = isTextOrNull(reason) && isTextOrNull(markedBy) && isTextOrNull(confirmedBy);
  const isFit = typeof title === 'string' && areTexts && (markedAt === null || isMoment(markedAt));
  return isFit && typeof confirmed === 'boolean' && memberCount(mark) === 6
    ? { title, reason, markedBy, markedAt, confirmedBy, confirmed }
    : undefined;
};

const plainRemoval = (removal: OpsRemoval): OpsRemoval | undefined => {
  const { title, removedBy, removedAt } = removal;
  const areTexts = typeof title === 'string' && typeof removedBy === 'string';
  return areTexts && isMoment(removedAt) && memberCount(removal) === 3 ? { title, removedBy, removedAt } : undefined;
};

const plainTitle = (title: string): string | undefined => (typeof title === 'string' ? title : undefined);

/** The entries of a list of 20 at most, each read once and fit; undefined means unknown. */
const plainEntries = <Entry>(
  list: readonly Entry[],
  plain: (entry: Entry) => Entry | undefined,
): readonly Entry[] | undefined => {
  if (!Array.isArray(list)) return undefined;
  const { length } = list as readonly Entry[];
  if (!(length <= NAMED_ITEMS)) return undefined;
  const entries: Entry[] = [];
  for (let index = 0; index < length; index += 1) {
    const entry = plain((list as readonly Entry[])[index] as Entry);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries;
};

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

/** Finds what is wrong with the facts of ops; answers them as they were read. */
export const opsFaults = (faults: FaultList, { ops }: Members): Members | null => {
  const facts = faults.object(ops, '/ops', NAMES);
  if (facts === null) return null;
  const counts = faults.counts(facts, '/ops', COUNTS);
  if (counts !== null)
    faults.atMost(counts.done, counts.total, '/ops/done', 'No more items can be done than there are');
  const titles = faults.list(facts.openItems, '/ops/open_items', NAMED_ITEMS) ?? [];
  for (const [index, title] of titles.entries()) faults.text(title, `/ops/open_items/${index}`);
  return { ...facts, openItems: titles, ...leftOutFaults(faults, facts) };
};

/** A fast check: the facts, each read once, where they have no fault; undefined means unknown. */
export const plainOps = (facts: OpsFacts): OpsFacts | undefined => {
  const { done, total, openItems: titles, notApplicable, removed } = facts;
  if (!isCount(done) || !isCount(total) || done > total) return undefined;
  const openItems = plainEntries(titles, plainTitle);
  if (openItems === undefined) return undefined;
  const members = memberCount(facts);
  if (notApplicable === undefined && removed === undefined)
    return members === 3 ? { done, total, openItems } : undefined;
  const marks = notApplicable === undefined ? undefined : plainEntries(notApplicable, plainMark);
  const removals = removed === undefined ? undefined : plainEntries(removed, plainRemoval);
  const areRead =
    (notApplicable === undefined) === (marks === undefined) && (removed === undefined) === (removals === undefined);
  if (!areRead || members !== 3 + (marks === undefined ? 0 : 1) + (removals === undefined ? 0 : 1)) return undefined;
  return { done, total, openItems, ...(marks && { notApplicable: marks }), ...(removals && { removed: removals }) };
};
