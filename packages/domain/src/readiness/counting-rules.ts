import type { ReleaseFacts } from './facts.js';
import type { CountingRules } from './policy.js';

/** Whether deployments of the same environments count; in which order they are named does not matter. */
const sameEnvironments = ({ environments: a }: CountingRules, { environments: b }: CountingRules): boolean => {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((name) => b.includes(name));
};

/** Whether two policies count the same records, however they judge them. */
export const sameCounting = (a: CountingRules, b: CountingRules): boolean =>
  a.verification === b.verification && sameEnvironments(a, b);

/**
 * The facts as `to` counts them, known as `from` counted them: `recounted` is a reading under `to`, of which only what
 * the two count differently is taken. So facts that were frozen stay what they were but for the test runs and
 * deployments that are chosen anew.
 */
export const recountedFacts = (
  facts: ReleaseFacts,
  from: CountingRules,
  recounted: ReleaseFacts,
  to: CountingRules,
): ReleaseFacts => ({
  ...facts,
  verification: from.verification === to.verification ? facts.verification : recounted.verification,
  stability: sameEnvironments(from, to) ? facts.stability : recounted.stability,
});
