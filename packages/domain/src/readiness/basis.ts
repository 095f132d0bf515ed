import type { Fault } from '../errors.js';
import type { Instant } from '../time.js';
import { opsFactsFaults, plainOps } from './axes/ops.js';
import { type Definitions, NO_DEFINITIONS, ownFactsFaults, plainOwnFacts } from './axes/own.js';
import { bugsFitIssues, plainQuality, qualityFactsFaults } from './axes/quality.js';
import { plainScope, scopeFactsFaults } from './axes/scope.js';
import { plainStability, stabilityFactsFaults } from './axes/stability.js';
import { plainSetAside, plainVerification, setAsideFaults, verificationFactsFaults } from './axes/verification.js';
import { AXES, type PerAxis } from './axis.js';
import type { ReleaseFacts, SourceFacts } from './facts.js';
import {
  anyText,
  entriesOf,
  type FindFaults,
  flagFaults,
  isMoment,
  listFaults,
  type Members,
  memberCount,
  momentFaults,
  numberFaults,
  objectFaults,
  readWithFaults,
  unlessMissing,
  unlessNull,
} from './faults.js';
import { MAX_COUNT } from './numbers.js';
import { isOwnName } from './own-axis.js';
import { checkPolicy, type Policy, plainPolicy } from './policy.js';
import { WAIVABLE_CODES, type Waiver } from './waiver.js';

const source = unlessNull(
  objectFaults({
    lastAt: momentFaults,
    medianMs: unlessNull(
      numberFaults(
        (value) =>
          Number.isSafeInteger(value) && value >= 0
            ? undefined
            : ['out_of_range', 'A span of time must be whole milliseconds, 0 or more'],
        'a number or null',
      ),
    ),
  }),
);

const { scope, quality, ...others } = {
  scope: scopeFactsFaults,
  quality: qualityFactsFaults,
  ops: opsFactsFaults,
  verification: verificationFactsFaults,
  stability: stabilityFactsFaults,
} satisfies PerAxis<FindFaults>;

/** Makes the check of facts; `defined` are the own axes that a program defines. */
const factsBy = (defined: Definitions): FindFaults =>
  objectFaults(
    { scope, quality },
    bugsFitIssues,
    others,
    {
      issuesAsOf: unlessMissing(unlessNull(momentFaults)),
      issuesPending: unlessMissing(flagFaults),
      testRunSetAside: (faults, at, value = null) => setAsideFaults(faults, at, value),
    },
    (faults, at, { testRunSetAside, verification }) => {
      if (testRunSetAside && verification !== null)
        faults.add(
          `${at}/verification`,
          'does_not_fit',
          'It must be null while the latest test run of a suite is set aside',
        );
    },
    {
      sources: unlessMissing(objectFaults({ deployments: source, testRuns: source })),
      ownAxes: unlessMissing(ownFactsFaults(defined)),
    },
  );

const CHECK_FACTS = factsBy(NO_DEFINITIONS);

/**
 * Every fault of a value that should be facts; none: they can be judged. No member is missing, of another kind or
 * surplus, counts are whole numbers 0 to 2^31 - 1, no part exceeds its whole, bugs fit into the issues, open bugs sum
 * up, moments are in the years 1 to 9999, spans of time not negative. Takes anything and never throws; lists 100 faults
 * at most, then says so. Pointers are into the wire form (`/stability/in_progress`), a surplus member has the name it
 * is given under. Codes: `missing`, `wrong_type`, `surplus`, `out_of_range`, `does_not_fit`, `too_many`, `unreadable`,
 * `too_many_faults`.
 */
export const factFaults = (value: unknown): readonly Fault[] => readWithFaults(CHECK_FACTS, '', value).faults;

type Sources = NonNullable<ReleaseFacts['sources']>;

const plainSource = (source: SourceFacts): SourceFacts | undefined => {
  const { lastAt, medianMs } = source;
  const isSpan = medianMs === null || (Number.isSafeInteger(medianMs) && medianMs >= 0);
  return isSpan && isMoment(lastAt) && memberCount(source) === 2 ? { lastAt, medianMs } : undefined;
};

const plainSources = (sources: Sources): Sources | undefined => {
  const { deployments: given, testRuns: alsoGiven } = sources;
  const deployments = given === null ? null : plainSource(given);
  const testRuns = alsoGiven === null ? null : plainSource(alsoGiven);
  return deployments !== undefined && testRuns !== undefined && memberCount(sources) === 2
    ? { deployments, testRuns }
    : undefined;
};

/** Members of facts that are never missing. With a further axis `plainFacts` does not compile until it reads that one, too. */
const NEVER_MISSING = 5;

/**
 * Checks facts fast and returns a copy, each member read once; undefined: only the full check can tell. May throw for
 * values that are no facts. It does not loop over the axes, because it runs for every release that is judged.
 */
export const plainFacts = (facts: ReleaseFacts, defined: Definitions = NO_DEFINITIONS): ReleaseFacts | undefined => {
  const { verification: run, issuesAsOf, issuesPending, testRunSetAside: aside, sources: both, ownAxes: own } = facts;
  const scope = plainScope(facts.scope);
  if (scope === undefined) return undefined;
  const quality = plainQuality(facts.quality, scope);
  const ops = plainOps(facts.ops);
  const verification = run === null ? null : plainVerification(run);
  const stability = plainStability(facts.stability);
  if (quality === undefined || ops === undefined || verification === undefined || stability === undefined)
    return undefined;
  let members = NEVER_MISSING;
  if (issuesAsOf !== undefined) {
    if (issuesAsOf !== null && !isMoment(issuesAsOf)) return undefined;
    members += 1;
  }
  if (issuesPending !== undefined) {
    if (typeof issuesPending !== 'boolean') return undefined;
    members += 1;
  }
  let testRunSetAside: ReleaseFacts['testRunSetAside'] = null;
  if (aside !== undefined) {
    if (aside !== null) {
      testRunSetAside = plainSetAside(aside);
      if (testRunSetAside === undefined || verification !== null) return undefined;
    }
    members += 1;
  }
  const sources = both === undefined ? undefined : plainSources(both);
  if (both !== undefined) {
    if (sources === undefined) return undefined;
    members += 1;
  }
  const ownAxes = own === undefined ? undefined : plainOwnFacts(own, defined);
  if (own !== undefined) {
    if (ownAxes === undefined) return undefined;
    members += 1;
  }
  if (memberCount(facts) !== members) return undefined;
  const known = issuesAsOf ?? null;
  const pending = issuesPending ?? false;
  if (ownAxes !== undefined) {
    const plain = {
      scope,
      quality,
      ops,
      verification,
      stability,
      issuesAsOf: known,
      issuesPending: pending,
      testRunSetAside,
      ownAxes,
    };
    return sources === undefined ? plain : { ...plain, sources };
  }
  return sources === undefined
    ? { scope, quality, ops, verification, stability, issuesAsOf: known, issuesPending: pending, testRunSetAside }
    : {
        scope,
        quality,
        ops,
        verification,
        stability,
        issuesAsOf: known,
        issuesPending: pending,
        testRunSetAside,
        sources,
      };
};

/** How many faults a refusal names in its message; its cause lists all. */
const MOST_NAMED = 10;

/** The faults of a part, their pointers beginning with `place`. */
export const withPointerPrefix = (place: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: place + fault.pointer }));

const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value);

/** Waivers of an own axis that the policy no longer has are fit: they cover nothing. */
const isAxisName = (value: unknown): boolean => isOneOf(AXES, value) || isOwnName(value);

const checkWaiver: FindFaults = (faults, at, value) => {
  if (typeof value !== 'object' || value === null) return faults.misfit(at, value, 'an object');
  const plain = plainWaiver(value as Waiver);
  const { id, code, axis, actual, createdAt, expiresAt, withdrawnAt }: Members = { ...plain };
  anyText(faults, `${at}/id`, id);
  if (!isOneOf(WAIVABLE_CODES, code))
    faults.add(`${at}/code`, 'unknown_value', `It must be one of ${WAIVABLE_CODES.join(', ')}`);
  if (axis !== null && !isAxisName(axis))
    faults.add(`${at}/axis`, 'unknown_axis', `It must be null, one of ${AXES.join(', ')}, or the name of an own axis`);
  if (actual !== null && !(typeof actual === 'number' && actual >= 0 && actual <= MAX_COUNT))
    faults.add(`${at}/actual`, 'out_of_range', `It must be null or a number from 0 to ${MAX_COUNT}`);
  momentFaults(faults, `${at}/created_at`, createdAt);
  momentFaults(faults, `${at}/expires_at`, expiresAt);
  unlessNull(momentFaults)(faults, `${at}/withdrawn_at`, withdrawnAt);
  return plain;
};

/** Copies a waiver. Each member that decides anything is read once; the others are only shown. */
const plainWaiver = (waiver: Waiver): Waiver => {
  const { id, code, axis, actual, createdAt, expiresAt, withdrawnAt } = waiver;
  return { ...waiver, id, code, axis, actual, createdAt, expiresAt, withdrawnAt };
};

const checkWaivers = listFaults(MAX_COUNT, checkWaiver);

export const NO_WAIVERS: readonly Waiver[] = Object.freeze([]);

const isFitWaiver = ({ id, code, axis, actual, createdAt, expiresAt, withdrawnAt }: Waiver): boolean => {
  if (typeof id !== 'string' || !isOneOf(WAIVABLE_CODES, code) || (axis !== null && !isAxisName(axis))) return false;
  if (actual !== null && !(typeof actual === 'number' && actual >= 0 && actual <= MAX_COUNT)) return false;
  return isMoment(createdAt) && isMoment(expiresAt) && (withdrawnAt === null || isMoment(withdrawnAt));
};

/** Checks waivers fast and returns copies; undefined: there may be a fault. */
const plainWaivers = (waivers: readonly Waiver[]): readonly Waiver[] | undefined => {
  if (!Array.isArray(waivers)) return undefined;
  const { length } = waivers as readonly Waiver[];
  if (length === 0) return NO_WAIVERS;
  const plain = entriesOf(waivers as readonly Waiver[], length).map(plainWaiver);
  return plain.every(isFitWaiver) ? plain : undefined;
};

/** What a release is judged by: copies without getters, so that each value reads the same every time. */
export interface Basis {
  readonly facts: ReleaseFacts;
  readonly policy: Policy;
  readonly waivers: readonly Waiver[];
}

const plainBasis = (
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[],
  defined: Definitions,
): Basis | undefined => {
  try {
    const plain = plainFacts(facts, defined);
    if (plain === undefined || !isMoment(asOf)) return undefined;
    const rules = plainPolicy(policy);
    const accepted = plainWaivers(waivers);
    return rules && accepted && { facts: plain, policy: rules, waivers: accepted };
  } catch {
    return undefined;
  }
};

/** Reads and checks everything a release is judged by, each member once. Without a fault `read` is a `Basis`. */
const checkBasis = (facts: unknown, policy: unknown, asOf: unknown, waivers: unknown, checkFacts = CHECK_FACTS) => {
  const all = {
    facts: readWithFaults(checkFacts, '/facts', facts),
    policy: readWithFaults(checkPolicy, '/policy', policy),
    asOf: readWithFaults(momentFaults, '/as_of', asOf),
    waivers: readWithFaults(checkWaivers, '/waivers', waivers),
  };
  return {
    read: { facts: all.facts.read, policy: all.policy.read, waivers: all.waivers.read },
    faults: Object.values(all).flatMap(({ faults }) => faults),
  };
};

/** Every fault for which a release cannot be judged; pointers begin with `/facts`, `/policy`, `/as_of` and `/waivers`. */
export const basisFaults = (facts: unknown, policy: unknown, asOf: unknown, waivers: unknown): readonly Fault[] =>
  checkBasis(facts, policy, asOf, waivers).faults;

const messageOf = (faults: readonly Fault[]): string => {
  const named = faults.slice(0, MOST_NAMED).map(({ pointer, message }) => `${pointer}: ${message}`);
  const more = faults.length > MOST_NAMED ? ` (and ${faults.length - MOST_NAMED} more)` : '';
  return `The release cannot be judged. ${named.join('; ')}${more}`;
};

/**
 * Reads the inputs once and returns copies that passed all checks, so that a getter or a proxy cannot answer differently later.
 * @throws TypeError naming each fault at its place; its `cause` is the list of faults
 */
export const checkedBasis = (
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[],
  defined: Definitions,
): Basis => {
  const checkFacts = defined === NO_DEFINITIONS ? CHECK_FACTS : factsBy(defined);
  const { read, faults } = checkBasis(facts, policy, asOf, waivers, checkFacts);
  if (faults.length > 0) throw new TypeError(messageOf(faults), { cause: faults });
  // Without a fault the values have the types of `Basis`.
  return read as Basis;
};

/** Does what `checkedBasis` does, and tries a fast check first. */
export const requireBasis = (
  facts: ReleaseFacts,
  policy: Policy,
  asOf: Instant,
  waivers: readonly Waiver[],
  defined: Definitions,
): Basis => plainBasis(facts, policy, asOf, waivers, defined) ?? checkedBasis(facts, policy, asOf, waivers, defined);
