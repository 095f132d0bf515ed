import type { Fault } from '../errors.js';
import type { Instant } from '../time.js';
import { opsFaults, opsFits } from './axes/ops.js';
import { qualityFaults, qualityFits } from './axes/quality.js';
import { scopeFaults, scopeFits } from './axes/scope.js';
import { stabilityFaults, stabilityFits } from './axes/stability.js';
import { setAsideFaults, setAsideFits, verificationFaults, verificationFits } from './axes/verification.js';
import { AXES, type PerAxis } from './axis.js';
import type { ReleaseFacts, SourceFacts } from './facts.js';
import { type FaultList, faultsFound, isMoment, type Members, memberCount } from './faults.js';
import { MAX_COUNT } from './numbers.js';
import { type Policy, policyFits, unfitPolicyFaults } from './policy.js';
import { WAIVABLE_CODES, type Waiver } from './waiver.js';

/** What finds the faults of each axis' facts, in the wire form. */
const AXIS_FAULTS: PerAxis<(faults: FaultList, facts: Members) => void> = Object.freeze({
  scope: scopeFaults,
  quality: qualityFaults,
  ops: opsFaults,
  verification: verificationFaults,
  stability: stabilityFaults,
});

/** Members that are not an axis' own, with the names they are sent under; facts may lack them. */
const OTHERS = Object.freeze({
  issuesAsOf: 'issues_as_of',
  issuesPending: 'issues_pending',
  testRunSetAside: 'test_run_set_aside',
  sources: 'sources',
});
const NAMES = Object.freeze({ ...Object.fromEntries(AXES.map((axis) => [axis, axis])), ...OTHERS });
const SOURCES = Object.freeze({ deployments: 'deployments', testRuns: 'test_runs' });
const SOURCE = Object.freeze({ lastAt: 'last_at', medianMs: 'median_ms' });

const sourceFaults = (faults: FaultList, pointer: string, value: unknown): void => {
  const source = value === null ? null : faults.object(value, pointer, SOURCE);
  if (source === null) return;
  const { lastAt, medianMs } = source;
  faults.moment(lastAt, `${pointer}/last_at`);
  if (medianMs === null) return;
  if (typeof medianMs !== 'number') faults.misfit(`${pointer}/median_ms`, medianMs, 'a number or null');
  else if (!Number.isSafeInteger(medianMs) || medianMs < 0)
    faults.add(`${pointer}/median_ms`, 'out_of_range', 'A span of time must be whole milliseconds, 0 or more');
};

/**
 * Every fault of what is said to be facts, none where they can be judged: no member is missing, of another kind or surplus,
 * counts are whole numbers 0 to 2^31 - 1, no part exceeds its whole, bugs fit into the issues, open bugs sum up, moments are
 * in the years 1 to 9999, spans of time not negative. Takes anything and never throws; lists 100 faults at most, then says so.
 * Pointers are into the wire form (`/stability/in_progress`), a surplus member has the name it is given under. Codes:
 * `missing`, `wrong_type`, `surplus`, `out_of_range`, `does_not_fit`, `too_many`, `unreadable`, `too_many_faults`.
 */
export const factFaults = (value: unknown): readonly Fault[] =>
  faultsFound((faults) => {
    const facts = faults.object(value, '', NAMES);
    if (facts === null) return;
    for (const axis of AXES) AXIS_FAULTS[axis](faults, facts);
    const { issuesAsOf = null, issuesPending, sources } = facts;
    if (issuesAsOf !== null) faults.moment(issuesAsOf, '/issues_as_of');
    if (issuesPending !== undefined) faults.flag(issuesPending, '/issues_pending');
    setAsideFaults(faults, facts);
    const both = sources === undefined ? null : faults.object(sources, '/sources', SOURCES);
    if (both === null) return;
    sourceFaults(faults, '/sources/deployments', both.deployments);
    sourceFaults(faults, '/sources/test_runs', both.testRuns);
  });

const sourceFits = (source: SourceFacts | null): boolean => {
  if (source === null) return true;
  const { lastAt, medianMs } = source;
  const isSpan = medianMs === null || (Number.isSafeInteger(medianMs) && medianMs >= 0);
  return isSpan && isMoment(lastAt) && memberCount(source) === 2;
};

const sourcesFit = (sources: NonNullable<ReleaseFacts['sources']>): boolean =>
  sourceFits(sources.deployments) && sourceFits(sources.testRuns) && memberCount(sources) === 2;

/** `factsFit` checks so many axes; with a further axis it returns false until it checks that one, too. */
const AXES_LOOKED_AT = 5;

/** A fast check: true means that facts have no fault; false means unknown, ask `factFaults`. May throw for values that are no facts. */
export const factsFit = (facts: ReleaseFacts): boolean => {
  if (!scopeFits(facts) || !qualityFits(facts) || !opsFits(facts)) return false;
  if (!verificationFits(facts) || !stabilityFits(facts)) return false;
  const { issuesAsOf, issuesPending, testRunSetAside, sources } = facts;
  let members = AXES_LOOKED_AT;
  if (issuesAsOf !== undefined) {
    if (issuesAsOf !== null && !isMoment(issuesAsOf)) return false;
    members += 1;
  }
  if (issuesPending !== undefined) {
    if (typeof issuesPending !== 'boolean') return false;
    members += 1;
  }
  if (testRunSetAside !== undefined) {
    if (!setAsideFits(facts)) return false;
    members += 1;
  }
  if (sources !== undefined) {
    if (!sourcesFit(sources)) return false;
    members += 1;
  }
  return memberCount(facts) === members;
};

/** How many faults a refusal names in its message; all stand in its cause. */
const MOST_NAMED = 10;

/** The faults of a part with pointers from the whole. */
export const under = (place: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: place + fault.pointer }));

const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value);

const waiverFault = (faults: FaultList, value: unknown, pointer: string): void => {
  if (typeof value !== 'object' || value === null) {
    faults.misfit(pointer, value, 'an object');
    return;
  }
  const { id, code, axis, actual, createdAt, expiresAt, withdrawnAt } = value as Members;
  faults.text(id, `${pointer}/id`);
  if (!isOneOf(WAIVABLE_CODES, code))
    faults.add(`${pointer}/code`, 'unknown_value', `It must be one of ${WAIVABLE_CODES.join(', ')}`);
  if (axis !== null && !isOneOf(AXES, axis))
    faults.add(`${pointer}/axis`, 'unknown_axis', `It must be null or one of ${AXES.join(', ')}`);
  if (actual !== null && !(typeof actual === 'number' && actual >= 0 && actual <= MAX_COUNT))
    faults.add(`${pointer}/actual`, 'out_of_range', `It must be null or a number from 0 to ${MAX_COUNT}`);
  faults.moment(createdAt, `${pointer}/created_at`);
  faults.moment(expiresAt, `${pointer}/expires_at`);
  if (withdrawnAt !== null) faults.moment(withdrawnAt, `${pointer}/withdrawn_at`);
};

/** Every fault of what are said to be waivers, none where the engine can heed them. Never throws. Pointers begin with a place in the list. */
export const waiverFaults = (waivers: unknown): readonly Fault[] =>
  faultsFound((faults) => {
    const all = faults.list(waivers, '', MAX_COUNT) ?? [];
    for (const [index, waiver] of all.entries()) {
      if (faults.isFull) return;
      waiverFault(faults, waiver, `/${index}`);
    }
  });

const waiversFit = (waivers: readonly Waiver[]): boolean => {
  if (!Array.isArray(waivers)) return false;
  if (waivers.length === 0) return true;
  for (const { id, code, axis, actual, createdAt, expiresAt, withdrawnAt } of waivers as readonly Waiver[]) {
    if (typeof id !== 'string' || !isOneOf(WAIVABLE_CODES, code) || (axis !== null && !isOneOf(AXES, axis)))
      return false;
    if (actual !== null && !(typeof actual === 'number' && actual >= 0 && actual <= MAX_COUNT)) return false;
    if (!isMoment(createdAt) || !isMoment(expiresAt) || (withdrawnAt !== null && !isMoment(withdrawnAt))) return false;
  }
  return true;
};

const fits = (facts: ReleaseFacts, policy: Policy, asOf: Instant, waivers: readonly Waiver[]): boolean => {
  try {
    return factsFit(facts) && policyFits(policy) && isMoment(asOf) && waiversFit(waivers);
  } catch {
    return false;
  }
};

/** Every fault for which a release cannot be judged; pointers begin with `/facts`, `/policy`, `/as_of` and `/waivers`. */
export const basisFaults = (facts: unknown, policy: unknown, asOf: unknown, waivers: unknown): readonly Fault[] => [
  ...under('/facts', factFaults(facts)),
  ...under('/policy', unfitPolicyFaults(policy)),
  ...faultsFound((faults) => faults.moment(asOf, '/as_of')),
  ...under('/waivers', waiverFaults(waivers)),
];

const messageOf = (faults: readonly Fault[]): string => {
  const named = faults.slice(0, MOST_NAMED).map(({ pointer, message }) => `${pointer}: ${message}`);
  const more = faults.length > MOST_NAMED ? ` (and ${faults.length - MOST_NAMED} more)` : '';
  return `The release cannot be judged. ${named.join('; ')}${more}`;
};

/**
 * Lets pass what can be judged, which costs little.
 * @throws TypeError naming each fault at its place; its `cause` is the list of faults
 */
export const requireFit = (facts: ReleaseFacts, policy: Policy, asOf: Instant, waivers: readonly Waiver[]): void => {
  if (fits(facts, policy, asOf, waivers)) return;
  const faults = basisFaults(facts, policy, asOf, waivers);
  if (faults.length > 0) throw new TypeError(messageOf(faults), { cause: faults });
};
