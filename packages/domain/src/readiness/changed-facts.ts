import type { Instant } from '../instant.js';
import { opsWith } from './axes/left-out.js';
import type { OpsFacts, QualityFacts, ReleaseFacts, ScopeFacts, StabilityFacts, VerificationFacts } from './facts.js';

/** A test run that was not recorded: its counts, and what else is known of it. */
export type VerificationChange = Pick<VerificationFacts, 'passed' | 'total'> & Partial<VerificationFacts>;

/** Axes whose facts are taken for something else, each as a whole; those left out stay as they are. */
export interface FactChanges {
  readonly scope?: ScopeFacts;
  readonly quality?: QualityFacts;
  readonly ops?: Pick<OpsFacts, 'done' | 'total'>;
  /** null: no test run was recorded. `ranAt` is the moment it is judged at, unless it says otherwise. */
  readonly verification?: VerificationChange | null;
  readonly stability?: StabilityFacts;
}

/** Items are ticked in list order, as the next steps name them; of items that are added no title is known. */
const opsAfter = (ops: OpsFacts, change: Pick<OpsFacts, 'done' | 'total'>): OpsFacts =>
  opsWith(ops, {
    done: change.done,
    total: change.total,
    openItems: ops.openItems.slice(Math.max(0, ops.total - ops.done - (change.total - change.done))),
  });

const verificationAfter = (change: VerificationChange | null, asOf: Instant): VerificationFacts | null =>
  change === null ? null : { ranAt: asOf, suite: null, commitSha: null, runs: 1, ...change };

/**
 * The facts with these axes changed, as of `asOf`; whether they fit together is not looked at. Issues or bugs that are
 * stated are known: they are neither being imported nor as of an earlier moment; and no run is set aside once one is stated.
 */
export const changedFacts = (facts: ReleaseFacts, changes: FactChanges, asOf: Instant): ReleaseFacts => {
  const { scope, quality, ops, verification, stability } = changes;
  const { issuesAsOf: _, issuesPending: __, ...known } = facts;
  const { testRunSetAside: ___, ...stated } = scope === undefined && quality === undefined ? facts : known;
  return {
    ...(verification === undefined && facts.testRunSetAside !== undefined
      ? { ...stated, testRunSetAside: facts.testRunSetAside }
      : stated),
    scope: scope ?? facts.scope,
    quality: quality ?? facts.quality,
    ops: ops === undefined ? facts.ops : opsAfter(facts.ops, ops),
    verification: verification === undefined ? facts.verification : verificationAfter(verification, asOf),
    stability: stability ?? facts.stability,
  };
};
