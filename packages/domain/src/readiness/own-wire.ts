import { COUNTED_FROM, type CountedFrom } from './counted-axis.js';
import type { ReportedFacts } from './facts.js';
import { isCount, isMoment } from './faults.js';
import { byName, type OwnAxis, ownTitle, unitOf } from './own-axis.js';
import type { Policy } from './policy.js';
import type { OwnAxisReading } from './report.js';
import { momentForm } from './words.js';

/** The report of an own axis in wire form. */
export const reportedForm = ({ part, whole, explanation, url, measuredAt }: ReportedFacts) => ({
  part,
  whole,
  explanation,
  url,
  measured_at: momentForm(measuredAt),
});

/** The reading of an own axis in wire form; without `facts` where there is no report, or the facts are those of a program. */
export const ownReadingForm = (reading: OwnAxisReading) => {
  const { axis, title, unit, weight, minimum, required, countedFrom, facts, explanation } = reading;
  const yielded =
    reading.state === 'measured'
      ? { state: reading.state, score: reading.score }
      : { state: reading.state, cause: reading.cause };
  const known = isMoment(facts?.measuredAt) && isCount(facts.part) ? { facts: reportedForm(facts) } : {};
  const counted = countedFrom === undefined ? {} : { counted_from: countedFrom };
  return { axis, title, ...yielded, weight, minimum, required, unit, ...counted, ...known, explanation };
};

/** What a policy demands of an own axis, as it is sent; members that are missing have their defaults. */
export interface SentOwnAxis {
  readonly name: string;
  readonly title?: string | undefined;
  readonly unit?: { readonly one: string; readonly many: string } | undefined;
  readonly weight?: number | undefined;
  readonly minimum?: number | undefined;
  readonly required?: boolean | undefined;
  readonly fresh_for_hours?: number | null | undefined;
  readonly counted_from?: CountedFrom | null | undefined;
}

/**
 * What a policy demands of its own axes in wire form, by name, with all members; only counted axes have `counted_from`.
 */
export const ownAxesForm = ({ ownAxes = [] }: Policy) =>
  [...ownAxes].sort(byName).map((axis) => {
    const { name, weight = 0, minimum = 0, required = false, freshForHours = null, countedFrom = null } = axis;
    const { one, many } = unitOf(axis);
    return {
      name,
      title: ownTitle(axis),
      unit: { one, many },
      weight,
      minimum,
      required,
      fresh_for_hours: freshForHours,
      ...(countedFrom === null ? {} : { counted_from: countedFrom }),
    };
  });

/** The report of an own axis as a signed verdict carries it. */
export interface VerdictReported {
  readonly axis: string;
  readonly part: number;
  readonly whole: number | null;
  readonly explanation: string | null;
  readonly url: string | null;
  readonly measured_at: string;
}

/** What a policy demanded of an own axis, as a signed verdict carries it. */
export interface VerdictOwnAxis {
  readonly name: string;
  readonly title?: string;
  readonly unit?: { readonly one: string; readonly many: string };
  readonly weight: number;
  readonly minimum: number;
  readonly required: boolean;
  readonly fresh_for_hours: number | null;
  /** The records that were counted. An engine that does not know them still computes the same numbers. */
  readonly counted_from?: string | null;
}

/** Converts a verdict's report of an own axis for the engine: to the axis' name and its facts. */
export const reportedOf = (reported: VerdictReported): readonly [string, ReportedFacts] => [
  reported.axis,
  {
    part: reported.part,
    whole: reported.whole,
    explanation: reported.explanation,
    url: reported.url,
    measuredAt: Date.parse(reported.measured_at),
  },
];

/** Converts what is demanded of an own axis for the engine; members that were not sent are left out. */
export const ownAxisOf = (sent: SentOwnAxis): OwnAxis => {
  const { fresh_for_hours: freshForHours, counted_from: countedFrom } = sent;
  const { name, title, unit, weight, minimum, required } = sent;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(unit === undefined ? {} : { unit }),
    ...(weight === undefined ? {} : { weight }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(required === undefined ? {} : { required }),
    ...(freshForHours === undefined ? {} : { freshForHours }),
    ...(countedFrom === undefined ? {} : { countedFrom }),
  };
};

/** Converts a verdict's demands on an own axis for the engine; a `counted_from` that it does not know is left out. */
export const ownAxisOfVerdict = ({ counted_from: from, ...axis }: VerdictOwnAxis): OwnAxis => {
  const known = COUNTED_FROM.find((one) => one === from);
  return ownAxisOf(known === undefined ? axis : { ...axis, counted_from: known });
};

/** An assumed report of an own axis, as a what-if request sends it. */
export interface SentOwnFacts {
  readonly axis: string;
  readonly part: number;
  readonly whole: number | null;
  /** RFC 3339; missing: the moment it is judged at. */
  readonly measured_at?: string | undefined;
}

/** Converts an assumed report for the engine: to the axis' name and its facts. */
export const assumedReportOf = ({ axis, part, whole, measured_at: at }: SentOwnFacts) =>
  [axis, { part, whole, ...(at === undefined ? {} : { measuredAt: Date.parse(at) }) }] as const;
