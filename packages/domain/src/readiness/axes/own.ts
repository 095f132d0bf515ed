import type { Fault } from '../../errors.js';
import type { Instant } from '../../time.js';
import { AXES, type UnmeasuredCause } from '../axis.js';
import { axisWords, countFor, type ReleaseCounts } from '../counted-axis.js';
import type { ReleaseFacts, ReportedFacts } from '../facts.js';
import {
  atMost,
  countFaults,
  type FindFaults,
  isCount,
  isMoment,
  isTextOrNull,
  memberCount,
  momentFaults,
  objectFaults,
  textOrNullFaults,
  token,
  unlessNull,
} from '../faults.js';
import { fromHundredths, type Share, share, shareInHundredths, unmeasured } from '../numbers.js';
import { isCounted, type OwnAxis, ownTitle, unitOf } from '../own-axis.js';
import { type CountingRules, limitMs } from '../policy.js';
import type { OwnAxisReading } from '../report.js';
import { limitText } from '../words.js';

/** An axis that a program adds to the engine. Its functions are pure: the same arguments, the same result. */
export interface AxisDefinition<Facts = unknown> {
  /** A small letter, then 1 to 39 small letters, digits and underscores; none of the five axes. */
  readonly name: string;
  /** Its title, written as at the beginning of a sentence. */
  readonly title: string;
  /** What it counts. */
  readonly unit: { readonly one: string; readonly many: string };
  /** Returns a share, or why the axis is unmeasured; not called without facts. */
  readonly measure: (facts: Facts, demands: OwnAxis, asOf: Instant) => Share;
  /** One sentence with the numbers. */
  readonly explain: (facts: Facts, share: Share) => string;
  /** Faults of the facts, with pointers into them; missing: facts are not checked. */
  readonly faults?: (facts: unknown) => readonly Fault[];
}

/** The axes that a program defines, by name. */
export type Definitions = ReadonlyMap<string, AxisDefinition>;

export const NO_DEFINITIONS: Definitions = new Map<string, AxisDefinition>();

/** The first moment at which a report is stale; null: never. */
export const reportStaleFrom = ({ measuredAt }: ReportedFacts, { freshForHours = null }: OwnAxis): Instant | null =>
  freshForHours === null ? null : measuredAt + limitMs(freshForHours) + 1;

/** Measures an axis that no program defines, by its latest report or its count. */
const measureByFacts = (facts: ReportedFacts, demands: OwnAxis, asOf: Instant): Share => {
  const staleFrom = reportStaleFrom(facts, demands);
  if (staleFrom !== null && asOf >= staleFrom) return unmeasured('stale_report');
  if (facts.whole !== null) return share(facts.part, facts.whole);
  return unmeasured(isCounted(demands) ? 'nothing_to_count' : 'not_measurable');
};

/** The facts of one own axis; undefined: there are none yet. */
export const ownFactsOf = ({ ownAxes }: ReleaseFacts, name: string): ReportedFacts | undefined =>
  ownAxes !== undefined && Object.hasOwn(ownAxes, name) ? ownAxes[name] : undefined;

/**
 * The facts of own axes: the count where the policy asks for one, else the latest report.
 * @param reports by the axis' name @param at when the release last changed; counts are as of then
 */
export const ownAxesFacts = (
  { ownAxes = [] }: CountingRules,
  reports: Readonly<Record<string, ReportedFacts>>,
  counts: ReleaseCounts,
  at: Instant,
): Pick<ReleaseFacts, 'ownAxes'> => {
  const all = new Map(Object.entries(reports));
  for (const { name, countedFrom = null } of ownAxes) {
    if (countedFrom === null) continue;
    const { part, whole } = countFor(countedFrom, counts);
    all.set(name, { part, whole: whole === 0 ? null : whole, explanation: null, url: null, measuredAt: at });
  }
  return all.size === 0 ? {} : { ownAxes: Object.fromEntries(all) };
};

/** Demands a valid share from a program's definition: a wrong one must not become a score. @throws TypeError */
const requireShare = (name: string, { part, whole, cause }: Share): Share => {
  const fits = cause === null ? isCount(part) && isCount(whole) && whole > 0 && part <= whole : whole === 0;
  if (!fits)
    throw new TypeError(`The axis ${name} must be measured as a part of a whole, or as unmeasured with a cause`);
  return { part: cause === null ? part : 0, whole, cause };
};

/** The share of an own axis of a policy. */
export const measureOwnAxis = (facts: ReleaseFacts, demands: OwnAxis, asOf: Instant, defined: Definitions): Share => {
  const { name } = demands;
  const own = ownFactsOf(facts, name);
  if (own === undefined) return unmeasured(isCounted(demands) ? 'nothing_to_count' : 'no_report');
  const definition = defined.get(name);
  return definition === undefined
    ? measureByFacts(own, demands, asOf)
    : requireShare(name, definition.measure(own, demands, asOf));
};

const explainFacts = ({ part, whole, explanation }: ReportedFacts, axis: OwnAxis): string => {
  const unit = unitOf(axis);
  const counts = `${part} of ${whole} ${whole === 1 ? unit.one : unit.many}${axisWords(axis.countedFrom).afterUnit}`;
  return explanation === null ? counts : `${counts}: ${explanation}`;
};

const explainUnmeasured = (cause: UnmeasuredCause, facts: ReportedFacts | undefined, axis: OwnAxis): string => {
  if (isCounted(axis)) return `The release has no ${unitOf(axis).one} that counts`;
  if (facts === undefined) return `Nothing was reported for ${axis.name}: send a report from CI`;
  if (cause === 'stale_report')
    return `The latest report of ${axis.name} is older than ${limitText(axis.freshForHours ?? 0)}: send a new one from CI`;
  return facts.explanation === null
    ? `The latest report of ${axis.name} could not measure it`
    : `The latest report of ${axis.name} could not measure it: ${facts.explanation}`;
};

const explain = (facts: ReportedFacts | undefined, axis: OwnAxis, cause: UnmeasuredCause | null): string =>
  cause === null && facts !== undefined
    ? explainFacts(facts, axis)
    : explainUnmeasured(cause ?? 'no_report', facts, axis);

/** The reading of an own axis. */
const readOwnAxis = (all: ReleaseFacts, axis: OwnAxis, of: Share, defined: Definitions): OwnAxisReading => {
  const { name, weight = 0, minimum = 0, required = false, countedFrom = null } = axis;
  const own = ownFactsOf(all, name);
  const definition = defined.get(name);
  const explanation =
    definition !== undefined && own !== undefined ? definition.explain(own, of) : explain(own, axis, of.cause);
  const [title, unit] = [ownTitle(axis), unitOf(axis)];
  const facts = own ?? null;
  // Written out twice: a spread takes several times as long.
  const reading: OwnAxisReading =
    of.cause === null
      ? {
          axis: name,
          title,
          unit,
          state: 'measured',
          score: fromHundredths(shareInHundredths(of.part, of.whole)),
          weight,
          minimum,
          required,
          facts,
          explanation,
        }
      : {
          axis: name,
          title,
          unit,
          state: 'unmeasured',
          cause: of.cause,
          weight,
          minimum,
          required,
          facts,
          explanation,
        };
  return countedFrom === null ? reading : { ...reading, countedFrom };
};

/** The readings of the own axes of a policy, in its order. */
export const readOwnAxes = (
  facts: ReleaseFacts,
  ownAxes: readonly OwnAxis[],
  shares: readonly Share[],
  defined: Definitions,
): readonly OwnAxisReading[] =>
  ownAxes.map((axis, index) =>
    readOwnAxis(facts, axis, shares[AXES.length + index] ?? unmeasured('no_report'), defined),
  );

const partFits = atMost('part', 'whole', 'A part cannot exceed its whole');

const reportedFacts = objectFaults(
  { part: countFaults, whole: unlessNull(countFaults) },
  (faults, at, read) => {
    const { part, whole } = read;
    if (whole === 0) faults.add(`${at}/whole`, 'out_of_range', 'It must be 1 at least, or null');
    else if (whole !== null) partFits(faults, at, read);
    else if (typeof part === 'number' && isCount(part) && part > 0)
      faults.add(`${at}/part`, 'does_not_fit', 'It must be 0 where the whole is null');
  },
  { explanation: textOrNullFaults, url: textOrNullFaults, measuredAt: momentFaults },
);

/** Checks the facts of own axes by name. */
export const ownFactsFaults =
  (defined: Definitions): FindFaults =>
  (faults, at, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return faults.misfit(at, value, 'an object');
    const read: Record<string, unknown> = {};
    for (const [name, facts] of Object.entries(value)) {
      if (faults.isFull) break;
      const pointer = `${at}/${token(name)}`;
      const definition = defined.get(name);
      read[name] = definition === undefined ? reportedFacts(faults, pointer, facts) : facts;
      for (const fault of definition?.faults?.(facts) ?? [])
        faults.add(pointer + fault.pointer, fault.code, fault.message);
    }
    return read;
  };

const plainReported = (facts: ReportedFacts): ReportedFacts | undefined => {
  const { part, whole, explanation, url, measuredAt } = facts;
  const fits = isCount(part) && (whole === null ? part === 0 : isCount(whole) && whole > 0 && part <= whole);
  return fits && isTextOrNull(explanation) && isTextOrNull(url) && isMoment(measuredAt) && memberCount(facts) === 5
    ? { part, whole, explanation, url, measuredAt }
    : undefined;
};

/** Checks the facts of own axes fast and returns a copy, each member read once; undefined: there may be a fault. */
export const plainOwnFacts = (
  facts: NonNullable<ReleaseFacts['ownAxes']>,
  defined: Definitions,
): ReleaseFacts['ownAxes'] => {
  if (typeof facts !== 'object' || Array.isArray(facts)) return undefined;
  const read: Record<string, ReportedFacts> = {};
  for (const name of Object.keys(facts)) {
    const own = facts[name];
    if (own === undefined) return undefined;
    const definition = defined.get(name);
    if (definition !== undefined && (definition.faults?.(own) ?? []).length > 0) return undefined;
    const plain = definition === undefined ? plainReported(own) : own;
    if (plain === undefined) return undefined;
    read[name] = plain;
  }
  return read;
};
