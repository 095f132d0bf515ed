import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, factsAfter, type NextStep, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyCase, type Case, smallCase } from './arbitrary-release.js';
import { workedOff } from './least-work-oracle.js';
import { NOW } from './sample-release.js';

type Apply = (facts: ReleaseFacts, steps: readonly NextStep[], now: number) => ReleaseFacts;

const smaller = (steps: readonly NextStep[], at: number): readonly NextStep[] =>
  steps.map((step, index) => (index === at && step.count !== null ? { ...step, count: step.count - 1 } : step));

/** The reasons that are not waived, as text; `no score` when only that prevents `go`. */
const standing = ({ policy, waivers }: Case, facts: ReleaseFacts): readonly string[] => {
  const { gate, score } = assessRelease(facts, policy, NOW, waivers, { nextSteps: false });
  const names = gate.reasons.filter(({ waived }) => !waived).map(({ code, axis }) => `${code} ${axis ?? ''}`);
  if (score === null) names.push('no score');
  expect(names.length === 0, 'the decision is go exactly when no reason is left').to.equal(gate.decision === 'go');
  return names;
};

const outOfReach = new Set([
  'score_below_threshold ',
  'axis_below_minimum stability',
  'axis_unmeasured stability',
  'no score',
]);

const leavesWorseOut = ({ facts: { verification }, policy }: Case): boolean =>
  policy.verification === 'latest_run' &&
  policy.weights.verification > 0 &&
  verification?.worseSuite !== undefined &&
  verification.worseSuite !== null &&
  verification.worseSuite.passed / verification.worseSuite.total < verification.passed / verification.total;

const sufficientAndMinimal = (one: Case, apply: Apply): void => {
  const { facts, policy, waivers } = one;
  const { gate } = assessRelease(facts, policy, NOW, waivers);
  const steps = gate.nextSteps.filter(({ action }) => action !== 'count_every_suite');
  const statements = gate.nextSteps.length - steps.length;
  expect(statements, 'said of a worse suite that is left out').to.equal(leavesWorseOut(one) ? 1 : 0);
  if (gate.decision === 'go') expect(steps).to.deep.equal([]);
  const names = steps.map(({ axis, action }) => `${axis} ${action}`);
  expect(new Set(names).size, 'one step per axis and action').to.equal(names.length);
  const left = standing(one, apply(facts, steps, NOW));
  const weightless = Object.values(policy.weights).every((weight) => weight === 0);
  const stuck = steps.some(({ action, count }) => count === null && action !== 'await_import');
  if (!stuck && !weightless) expect(left, 'sufficient').to.deep.equal([]);
  else for (const reason of left) expect(outOfReach, 'only what is out of reach is left').to.include(reason);
  const awaits = steps.some(({ action }) => action === 'await_import');
  if (awaits) {
    const others = steps.filter(({ action }) => action !== 'await_import');
    const more = standing(one, apply(facts, others, NOW)).filter((reason) => !left.includes(reason));
    expect(more, 'the import is awaited for a reason').not.to.deep.equal([]);
    expect(facts.issuesPending).to.equal(true);
  }
  if (facts.issuesPending) expect(steps.map(({ action }) => action)).not.to.include('add_issues');
  steps.forEach(({ count, gain }, index) => {
    if (count === null) return;
    expect(count).to.be.greaterThan(0);
    if (gain !== null) expect(gain).to.be.within(0, 100);
    const without = standing(one, apply(facts, smaller(steps, index), NOW));
    const more = without.filter((reason) => !left.includes(reason));
    expect(more, `minimal: ${JSON.stringify(steps)} at ${index}`).not.to.deep.equal([]);
  });
};

const deploymentsOf = (steps: readonly NextStep[]): number =>
  steps.find(({ action }) => action === 'deploy_successfully')?.count ?? 0;

/** Everything measured is whole but stability, which has some successes fewer. */
const wholeBut = (facts: ReleaseFacts, fewer: number): ReleaseFacts => ({
  scope: { ...facts.scope, done: facts.scope.total },
  quality: {
    ...facts.quality,
    resolved: facts.quality.total,
    open: { critical: 0, major: 0, minor: 0, unspecified: 0 },
  },
  ops: { ...facts.ops, done: facts.ops.total },
  verification: facts.verification && { ...facts.verification, passed: facts.verification.total },
  stability: { ...facts.stability, succeeded: facts.stability.succeeded - fewer },
  issuesPending: facts.issuesPending ?? false,
});

describe('next steps, for any release', () => {
  it('applying all steps yields go and no step can be made smaller by one, by trying every way to work', () => {
    fc.assert(
      fc.property(smallCase, (one) => sufficientAndMinimal(one, workedOff)),
      { numRuns: 6_000 },
    );
  });

  it('the same holds for counts of any size and the least work that the engine names', () => {
    fc.assert(
      fc.property(anyCase, (one) => sufficientAndMinimal(one, factsAfter)),
      { numRuns: 6_000 },
    );
  });

  it('the least work that the engine names is the one found by trying every way to work', () => {
    fc.assert(
      fc.property(smallCase, ({ facts, policy, waivers }) => {
        const steps = assessRelease(facts, policy, NOW, waivers).gate.nextSteps;
        const named = factsAfter(facts, steps, NOW);
        const found = workedOff(facts, steps, NOW);
        expect(named.scope).to.deep.equal(found.scope);
        expect(named.quality.resolved).to.equal(found.quality.resolved);
        expect(named.quality.open.critical).to.equal(found.quality.open.critical);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stability is used for the score only where everything else of weight, made whole, does not suffice', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const stepsUnder = (threshold: number): readonly NextStep[] =>
          assessRelease(facts, { ...policy, threshold }, NOW, waivers).gate.nextSteps;
        const steps = stepsUnder(policy.threshold);
        const count = deploymentsOf(steps);
        if (count <= deploymentsOf(stepsUnder(0))) return;
        const { gate } = assessRelease(wholeBut(factsAfter(facts, steps, NOW), 1), policy, NOW, waivers);
        expect(gate.reasons.some(({ code, waived }) => code === 'score_below_threshold' && !waived)).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
