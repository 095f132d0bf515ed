import type { Fault } from '../errors.js';
import { assessRelease } from './assess-release.js';
import { AXES, type Axis, type AxisName, type PerAxis } from './axis.js';
import { basisFaults } from './basis.js';
import type { QualityFacts, SuiteRun } from './facts.js';
import { isOwnName } from './own-axis.js';
import type { VerdictOwnAxis, VerdictReported } from './own-wire.js';
import type { GateDecision, ReadinessReport } from './report.js';
import { REASON_CODES, type ReasonCode, WAIVABLE_CODES } from './waiver.js';
import {
  factsOfVerdict,
  policyOfVerdict,
  type VerdictFacts,
  type VerdictPolicy,
  type VerdictSource,
  type VerdictWaiver,
  waiverOfVerdict,
} from './wire.js';
import { utcMinute } from './words.js';

/** The result that the service signed. */
interface VerdictResult {
  readonly score: number | null;
  readonly coverage: number;
  readonly decision: GateDecision;
  readonly decision_without_waivers: GateDecision;
  readonly reasons: readonly {
    readonly code: ReasonCode;
    readonly axis?: AxisName;
    readonly actual: number | null;
    readonly required: number | null;
    readonly message: string;
    readonly waived: boolean;
  }[];
}

/** The part of a signed verdict that the engine reads: all it needs to come to the result again. */
export interface VerdictPredicate {
  /** The formula's version. */
  readonly formula: string;
  readonly release: { readonly id: string };
  readonly as_of: string;
  readonly facts: VerdictFacts;
  readonly policy: VerdictPolicy;
  readonly waivers: readonly VerdictWaiver[];
  readonly result: VerdictResult;
}

/**
 * Returns a copy of the value if it is of the expected kind. Otherwise adds a fault; the caller must not use the result then.
 * Reads each member once.
 */
export type ReadAs<Value> = (value: unknown, pointer: string, faults: Fault[]) => Value;

/** Most entries that are read of a list. No list of a verdict has as many; a longer one is a fault. */
const MOST_ENTRIES = 10_000;
const MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

const readKind =
  <Value>(kind: string, is: (value: unknown) => value is Value): ReadAs<Value> =>
  (value, pointer, faults) => {
    if (!is(value)) faults.push({ pointer, code: 'wrong_kind', message: `It must be ${kind}` });
    return value as Value;
  };

export const asNumber = readKind(
  'a finite number',
  (value): value is number => typeof value === 'number' && Number.isFinite(value),
);
export const asText = readKind('a text', (value) => typeof value === 'string');
export const asFlag = readKind('either true or false', (value) => typeof value === 'boolean');

/** `Date.parse` accepts 31 February and yields a day in March, so the moment is written again and compared with the text. */
const isMoment = (value: unknown): value is string => {
  if (typeof value !== 'string' || !MOMENT.test(value)) return false;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return false;
  const { date, time } = utcMinute(at);
  return value.startsWith(`${date}T${time}`);
};
export const asMoment = readKind('a moment by RFC 3339 in UTC', isMoment);

export const asOneOf = <Value extends string>(values: readonly Value[]): ReadAs<Value> =>
  readKind(`one of ${values.join(', ')}`, (value): value is Value => values.some((one) => one === value));

export const orNull =
  <Value>(read: ReadAs<Value>): ReadAs<Value | null> =>
  (value, pointer, faults) =>
    value === null ? null : read(value, pointer, faults);

export const asList =
  <Value>(read: ReadAs<Value>): ReadAs<readonly Value[]> =>
  (value, pointer, faults) => {
    const list: readonly unknown[] | null = Array.isArray(value) ? value : null;
    const length = list?.length ?? MOST_ENTRIES + 1;
    if (list !== null && length <= MOST_ENTRIES)
      return Array.from({ length }, (_, index) => read(list[index], `${pointer}/${index}`, faults));
    faults.push({ pointer, code: 'wrong_kind', message: `It must be a list of ${MOST_ENTRIES} at most` });
    return [];
  };

type MemberReaders<Shape> = { readonly [Name in keyof Shape]-?: ReadAs<Exclude<Shape[Name], undefined>> };

/** Reads the named members that an object itself has, as JSON does; inherited members and all others are left out. */
export const asObject =
  <Shape extends object>(
    members: MemberReaders<Shape>,
    optional: readonly (keyof Shape & string)[] = [],
  ): ReadAs<Shape> =>
  (value, pointer, faults) => {
    const copy: Record<string, unknown> = {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push({ pointer, code: 'wrong_kind', message: 'It must be an object' });
      return copy as Shape;
    }
    const given: Readonly<Record<string, unknown>> = { ...value };
    const reads: Readonly<Record<string, ReadAs<unknown>>> = members;
    for (const [name, read] of Object.entries(reads)) {
      const at = `${pointer}/${name}`;
      if (given[name] !== undefined && Object.hasOwn(given, name)) copy[name] = read(given[name], at, faults);
      else if (!optional.some((one) => one === name))
        faults.push({ pointer: at, code: 'missing', message: 'It is missing' });
    }
    return copy as Shape;
  };

const asAxis = asOneOf<Axis>(AXES);
const asAxisName = readKind(
  'the name of an axis',
  (value): value is AxisName => AXES.some((axis) => axis === value) || isOwnName(value),
);
const asCode = asOneOf(REASON_CODES);
const asDecision = asOneOf<GateDecision>(['go', 'hold', 'unknown']);
const asShare = asObject({ done: asNumber, total: asNumber });
const asPerAxis = asObject<PerAxis<number>>({
  scope: asNumber,
  quality: asNumber,
  ops: asNumber,
  verification: asNumber,
  stability: asNumber,
});
const asOpenBugs = asObject<QualityFacts['open']>({
  critical: asNumber,
  major: asNumber,
  minor: asNumber,
  unspecified: asNumber,
});
const asSource = asObject<VerdictSource>({ last_at: asMoment, median_ms: orNull(asNumber) });

const asFacts = asObject<VerdictFacts>(
  {
    scope: asShare,
    quality: asObject<QualityFacts>({ resolved: asNumber, total: asNumber, open: asOpenBugs }),
    ops: asObject<VerdictFacts['ops']>({ done: asNumber, total: asNumber, open_items: asList(asText) }),
    verification: orNull(
      asObject<NonNullable<VerdictFacts['verification']>>(
        {
          passed: asNumber,
          total: asNumber,
          ran_at: asMoment,
          suite: orNull(asText),
          commit_sha: orNull(asText),
          runs: asNumber,
          worse_suite: orNull(asObject<SuiteRun>({ suite: orNull(asText), passed: asNumber, total: asNumber })),
        },
        ['worse_suite'],
      ),
    ),
    stability: asObject<VerdictFacts['stability']>({ succeeded: asNumber, failed: asNumber, in_progress: asNumber }),
    issues_as_of: orNull(asMoment),
    issues_pending: asFlag,
    test_run_set_aside: orNull(asObject<NonNullable<VerdictFacts['test_run_set_aside']>>({ suite: orNull(asText) })),
    sources: asObject<NonNullable<VerdictFacts['sources']>>({
      deployments: orNull(asSource),
      test_runs: orNull(asSource),
    }),
    own_axes: asList(
      asObject<VerdictReported>({
        axis: asText,
        part: asNumber,
        whole: orNull(asNumber),
        explanation: orNull(asText),
        url: orNull(asText),
        measured_at: asMoment,
      }),
    ),
  },
  ['issues_as_of', 'issues_pending', 'test_run_set_aside', 'sources', 'own_axes'],
);

const asPolicy = asObject<VerdictPolicy>(
  {
    weights: asPerAxis,
    threshold: asNumber,
    minimums: asPerAxis,
    required_axes: asList(asAxis),
    environments: orNull(asList(asText)),
    freshness_hours: orNull(asNumber),
    verification: asOneOf<VerdictPolicy['verification']>(['latest_run', 'latest_per_suite']),
    max_open_critical_bugs: orNull(asNumber),
    min_finished_deployments: asNumber,
    stability_bound: asOneOf<'rate' | 'upper_bound'>(['rate', 'upper_bound']),
    silence_hours: orNull(asNumber),
    own_axes: asList(
      asObject<VerdictOwnAxis>(
        {
          name: asText,
          title: asText,
          unit: asObject<NonNullable<VerdictOwnAxis['unit']>>({ one: asText, many: asText }),
          weight: asNumber,
          minimum: asNumber,
          required: asFlag,
          fresh_for_hours: orNull(asNumber),
          counted_from: orNull(asText),
        },
        ['title', 'unit', 'counted_from'],
      ),
    ),
  },
  ['stability_bound', 'silence_hours', 'own_axes'],
);

const asWaiver = asObject<VerdictWaiver>(
  {
    id: asText,
    code: asOneOf(WAIVABLE_CODES),
    axis: asAxisName,
    text: asText,
    actual: orNull(asNumber),
    created_by: asText,
    created_at: asMoment,
    expires_at: asMoment,
    withdrawn_at: orNull(asMoment),
    withdrawn_by: orNull(asText),
  },
  ['axis'],
);

const asReason = asObject<VerdictResult['reasons'][number]>(
  {
    code: asCode,
    axis: asAxisName,
    actual: orNull(asNumber),
    required: orNull(asNumber),
    message: asText,
    waived: asFlag,
  },
  ['axis'],
);

const asPredicate = asObject<VerdictPredicate>({
  formula: asText,
  release: asObject<VerdictPredicate['release']>({ id: asText }),
  as_of: asMoment,
  facts: asFacts,
  policy: asPolicy,
  waivers: asList(asWaiver),
  result: asObject<VerdictResult>({
    score: orNull(asNumber),
    coverage: asNumber,
    decision: asDecision,
    decision_without_waivers: asDecision,
    reasons: asList(asReason),
  }),
});

/** The result of reading: a copy of the members the engine needs, or every fault of the structure. */
type PredicateReading =
  | { readonly predicate: VerdictPredicate; readonly faults?: undefined }
  | { readonly predicate?: undefined; readonly faults: readonly Fault[] };

/** Reads a predicate from a value of any kind. Never throws, even where reading a member throws. */
export const readPredicate = (value: unknown): PredicateReading => {
  const faults: Fault[] = [];
  try {
    const predicate = asPredicate(value, '', faults);
    return faults.length === 0 ? { predicate } : { faults };
  } catch {
    return { faults: [{ pointer: '', code: 'wrong_kind', message: 'It cannot be read' }] };
  }
};

/** The result of computing a verdict again. */
export type Recomputation =
  | { readonly outcome: 'agrees'; readonly report: ReadinessReport }
  /** `differs` names the members of the result that come out differently. */
  | {
      readonly outcome: 'disagrees';
      readonly report: ReadinessReport;
      readonly differs: readonly (keyof VerdictResult | 'formula')[];
    }
  /**
   * `members` are JSON pointers to facts, demands or waivers unknown to this engine; without them the result differs.
   */
  | { readonly outcome: 'unknown_members'; readonly members: readonly string[] }
  /** This engine does not know the formula, or the rules of formula 2 by which the verdict was judged. */
  | { readonly outcome: 'unknown_formula' }
  /** It is no predicate, or its facts or policy cannot be assessed; pointers are into the predicate. */
  | { readonly outcome: 'unfit'; readonly faults: readonly Fault[] };

/** The parts of the reasons that are compared; their wording may change without a new formula. */
const judged = (reasons: readonly (Omit<VerdictResult['reasons'][number], 'axis'> & { axis?: string | null })[]) =>
  JSON.stringify(
    reasons.map(({ code, axis, actual, required, waived }) => [code, axis ?? null, actual, required, waived]),
  );

const differences = (
  { formula, score, coverage, gate }: ReadinessReport,
  { formula: saidFormula, result: said }: VerdictPredicate,
): (keyof VerdictResult | 'formula')[] => {
  const differs: (keyof VerdictResult | 'formula')[] = [];
  if (formula !== saidFormula) differs.push('formula');
  if (score !== said.score) differs.push('score');
  if (coverage !== said.coverage) differs.push('coverage');
  if (gate.decision !== said.decision) differs.push('decision');
  if (gate.decisionWithoutWaivers !== said.decision_without_waivers) differs.push('decision_without_waivers');
  if (judged(gate.reasons) !== judged(said.reasons)) differs.push('reasons');
  return differs;
};

/** Pointers to the members of `given` that were not read: a later engine may judge by them. */
const unreadIn = (given: unknown, read: unknown, pointer: string): readonly string[] => {
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return [];
  const copy: Readonly<Record<string, unknown>> = { ...read };
  return Object.entries(given).flatMap(([name, member]) =>
    Object.hasOwn(copy, name) ? unreadIn(member, copy[name], `${pointer}/${name}`) : [`${pointer}/${name}`],
  );
};

/** The version of a policy is its name, not a demand. */
const NO_DEMAND = '/policy/version';

const unknownMembers = (value: unknown, read: VerdictPredicate): readonly string[] => {
  try {
    const { facts, policy, waivers } = value as Readonly<Record<keyof VerdictPredicate, unknown>>;
    return [
      ...unreadIn(facts, read.facts, '/facts'),
      ...unreadIn(policy, read.policy, '/policy').filter((pointer) => pointer !== NO_DEMAND),
      ...unreadIn(waivers, read.waivers, '/waivers'),
    ];
  } catch {
    return [];
  }
};

/** Whether a predicate names a formula that this engine does not know; then its structure may be another one, too. */
const isOfAnotherFormula = (predicate: unknown): boolean => {
  try {
    if (typeof predicate !== 'object' || predicate === null || !Object.hasOwn(predicate, 'formula')) return false;
    const { formula } = predicate as { readonly formula: unknown };
    return typeof formula === 'string' && formula !== '1' && formula !== '2';
  } catch {
    return false;
  }
};

/**
 * Judges the release again by the facts, policy and waivers in a signed verdict, and compares every number and decision with
 * those of the verdict. Pure like the engine itself, and total: returns an outcome for any value and never throws. It does
 * not check who signed: verify the signature first.
 * @param value the predicate of a verdict's statement (`VerdictPredicate`), or anything said to be one
 */
export const recomputeVerdict = (value: unknown): Recomputation => {
  if (isOfAnotherFormula(value)) return { outcome: 'unknown_formula' };
  const { predicate, faults: misread } = readPredicate(value);
  if (predicate === undefined) return { outcome: 'unfit', faults: misread };
  const facts = factsOfVerdict(predicate.facts);
  const policy = policyOfVerdict(predicate.policy);
  const waivers = predicate.waivers.map((waiver) => waiverOfVerdict(waiver, predicate.release.id));
  const asOf = Date.parse(predicate.as_of);
  const faults = basisFaults(facts, policy, asOf, waivers);
  if (faults.length > 0) return { outcome: 'unfit', faults };
  const report = assessRelease(facts, policy, asOf, waivers);
  // It was judged by a rule of formula 2 that this engine does not have.
  if (predicate.formula === '2' && report.formula === '1') {
    const unread = unknownMembers(value, predicate);
    return unread.length > 0 ? { outcome: 'unknown_members', members: unread } : { outcome: 'unknown_formula' };
  }
  const differs = differences(report, predicate);
  if (differs.length === 0) return { outcome: 'agrees', report };
  const members = unknownMembers(value, predicate);
  return members.length > 0 ? { outcome: 'unknown_members', members } : { outcome: 'disagrees', report, differs };
};
