import type { Fault } from '../errors.js';
import type { Instant } from '../instant.js';
import { AXES } from './axis.js';
import { factFaults, factsFit } from './fact-rules.js';
import type { ReleaseFacts } from './facts.js';
import { type FaultList, faultsFound, isMoment, type Members } from './fault-list.js';
import type { Policy } from './policy.js';
import { policyFits, unfitPolicyFaults } from './policy-rules.js';
import { MAX_COUNT } from './share.js';
import { WAIVABLE_CODES, type Waiver } from './waiver.js';

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
