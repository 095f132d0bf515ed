import { expect } from 'chai';
import fc from 'fast-check';
import {
  leastForUpperBound,
  stabilityBoundOf,
  stabilityHundredths,
  wilsonInterval,
} from '../../../src/readiness/axes/stability.js';
import {
  assessRelease,
  type NextStep,
  type Policy,
  type Reason,
  type ReleaseFacts,
} from '../../../src/readiness/index.js';
import { MAX_COUNT } from '../../../src/readiness/numbers.js';
import { reachesByUpperBound } from '../rational-oracle.js';
import { deployments, everyAxis, lenient, NOW, policy, ready, waiver } from '../sample-release.js';

const stabilityOf = (stability: ReleaseFacts['stability'], changes: Partial<Policy> = {}) =>
  assessRelease(ready({ stability }), policy(changes), NOW).axes[4];

describe('stability: the change failure rate over the deployments of the release window', () => {
  for (const [succeeded, failed, expected] of [
    [0, 3, 0],
    [2, 1, 66.66],
    [19, 2, 90.47],
    [21, 0, 100],
  ] as const)
    it(`scores ${succeeded} succeeded and ${failed} failed as ${expected}`, () => {
      expect(stabilityOf(deployments(succeeded, failed))).to.include({ state: 'measured', score: expected });
    });

  it('4 failed of 5 is 20, not the 19.99 of 100 * (1 - rate)', () => {
    expect(stabilityOf(deployments(1, 4))).to.include({ score: 20 });
  });

  it('says how many of how many succeeded', () => {
    const after = ', 0 in progress; this counts failed deployments and does not see incidents after a successful one';
    for (const [succeeded, failed, said] of [
      [1, 0, '1 of 1 finished deployment succeeded'],
      [0, 1, '0 of 1 finished deployment succeeded'],
      [2, 1, '2 of 3 finished deployments succeeded'],
    ] as const)
      expect(stabilityOf(deployments(succeeded, failed))?.explanation).to.equal(`${said}${after}`);
  });

  it('carries the change failure rate itself, unrounded, with its interval', () => {
    const reading = stabilityOf(deployments(2, 1));
    expect(reading?.changeFailureRate?.rate).to.equal(1 / 3);
    expect(reading?.changeFailureRate?.interval.level).to.equal(0.95);
  });

  it('0 of 1 does not look like 0 of 40', () => {
    const upper = (succeeded: number) =>
      stabilityOf(deployments(succeeded, 0))?.changeFailureRate?.interval.high ?? Number.NaN;
    expect(upper(1)).to.be.closeTo(0.7935, 1e-4);
    expect(upper(40)).to.be.closeTo(0.0876, 1e-4);
  });

  it('deployments in progress are counted as such, never as failures', () => {
    expect(stabilityOf(deployments(3, 0, 2))).to.deep.include({
      score: 100,
      facts: { succeeded: 3, failed: 0, inProgress: 2 },
    });
  });

  it('is unmeasured with cause no_finished_deployment while nothing has finished', () => {
    expect(stabilityOf(deployments(0, 0, 2))).to.include({
      state: 'unmeasured',
      cause: 'no_finished_deployment',
      changeFailureRate: null,
      explanation:
        'No deployment has finished in the release window, 2 in progress: report deployments from the pipeline',
    });
  });

  it("is unmeasured with cause too_few_deployments below the policy's minimum sample, with its rate all the same", () => {
    const reading = stabilityOf(deployments(1, 1, 1), { minFinishedDeployments: 3 });
    expect(reading).to.include({ state: 'unmeasured', cause: 'too_few_deployments' });
    expect(reading?.changeFailureRate?.rate).to.equal(0.5);
    expect(reading?.explanation).to.equal(
      '2 finished deployments, 1 failed, 1 in progress; the policy asks for at least 3 finished: report deployments from the pipeline',
    );
    expect(stabilityOf(deployments(2, 1), { minFinishedDeployments: 3 })).to.include({ state: 'measured' });
  });

  it('says how many succeeded, how many are in progress, and what it does not see', () => {
    expect(stabilityOf(deployments(19, 2, 1))?.explanation).to.equal(
      '19 of 21 finished deployments succeeded, 1 in progress; this counts failed deployments and does not see incidents after a successful one',
    );
    expect(stabilityOf(deployments(1, 0))?.explanation).to.contain('1 of 1 finished deployment succeeded');
  });
});

const bounded = (stability: number, changes: Partial<Policy> = {}): Policy =>
  lenient({ threshold: 0, minimums: { ...everyAxis(0), stability }, stabilityBound: 'upper_bound', ...changes });
const gateOf = (succeeded: number, failed: number, rules: Policy, waivers: Parameters<typeof assessRelease>[3] = []) =>
  assessRelease(ready({ stability: deployments(succeeded, failed) }), rules, NOW, waivers).gate;
const needed = (steps: readonly NextStep[]): readonly (number | null)[] => steps.map(({ count }) => count);

const count = fc.oneof(fc.nat(60), fc.nat(5_000), fc.nat(2 ** 30));
const demand = fc.oneof(
  fc.constantFrom(0, 0.01, 50, 60, 95, 99.99, 100),
  fc.nat(10_000).map((hundredths) => hundredths / 100),
);

describe("what stability's minimum is demanded of", () => {
  it('is the rate unless the policy says otherwise', () => {
    expect(stabilityBoundOf(policy({}))).to.equal('rate');
    const { stabilityBound: _, ...older } = policy({});
    expect(stabilityBoundOf(older)).to.equal('rate');
    expect(gateOf(3, 0, lenient({ minimums: { ...everyAxis(0), stability: 100 } })).decision).to.equal('go');
  });

  it('is by the rate what was counted, and by the upper bound what was proven', () => {
    expect(stabilityHundredths('rate', { part: 20, whole: 20 })).to.equal(10_000);
    expect(stabilityHundredths('upper_bound', { part: 20, whole: 20 })).to.equal(8_388);
    expect(stabilityHundredths('upper_bound', { part: 1, whole: 1 })).to.equal(2_065);
    expect(stabilityHundredths('upper_bound', { part: 0, whole: 7 })).to.equal(0);
  });

  it('by the upper bound agrees with exact fractions, for any counts and any demand', () => {
    fc.assert(
      fc.property(count, count, demand, (succeeded, failed, least) => {
        fc.pre(succeeded + failed > 0);
        const { reached, near } = reachesByUpperBound(succeeded, failed, least);
        if (near) return;
        const share = { part: succeeded, whole: succeeded + failed };
        expect(stabilityHundredths('upper_bound', share) >= Math.round(least * 100)).to.equal(reached);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('the least number of deployments for the upper bound', () => {
  it('is found by exact fractions too: it suffices and one fewer does not, for any counts', () => {
    fc.assert(
      fc.property(count, fc.oneof(fc.nat(20), fc.nat(20_000)), demand, (succeeded, failed, least) => {
        const from = succeeded + failed === 0 ? 1 : 0;
        const found = leastForUpperBound(succeeded, failed, Math.round(least * 100), from);
        const at = (more: number) => reachesByUpperBound(succeeded + more, failed, least);
        if (found === null) {
          expect(at(MAX_COUNT - succeeded).reached).to.equal(false);
          return;
        }
        if (!at(found).near) expect(at(found).reached, 'suffices').to.equal(true);
        if (found > from && !at(found - 1).near) expect(at(found - 1).reached, 'is least').to.equal(false);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is the first one that suffices when all are tried in turn', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(4), fc.integer({ min: 0, max: 9_500 }), (succeeded, failed, minimum) => {
        const suffices = (more: number): boolean => {
          const trials = succeeded + more + failed;
          return trials > 0 && Math.floor(10_000 * (1 - wilsonInterval(failed, trials).high)) >= minimum;
        };
        let first = succeeded + failed === 0 ? 1 : 0;
        const found = leastForUpperBound(succeeded, failed, minimum, first);
        while (!suffices(first)) first++;
        expect(found).to.equal(first);
      }),
      { numRuns: 2_000 },
    );
  });

  it('may be the greatest count', () => {
    expect(leastForUpperBound(MAX_COUNT - 1, 0, 1, 1)).to.equal(1);
  });

  it('does not exist beyond the greatest count', () => {
    expect(leastForUpperBound(5, 0, 10_000, 0)).to.equal(null);
    expect(leastForUpperBound(MAX_COUNT, 0, 0, 1)).to.equal(null);
    expect(leastForUpperBound(0, MAX_COUNT, 9_999, 0)).to.equal(null);
  });
});

describe('a ship gate that asks for the upper bound', () => {
  it('holds what few deployments do not prove, and says what it went by', () => {
    const { decision, reasons } = gateOf(20, 0, bounded(90));
    expect(decision).to.equal('hold');
    expect(reasons).to.deep.equal([
      {
        code: 'axis_below_minimum',
        axis: 'stability',
        actual: 83.88,
        required: 90,
        message:
          'By the upper bound of the 95 % interval of its failure rate, stability is at 83.88, below its minimum of 90',
        waived: false,
      } satisfies Reason,
    ]);
  });

  it('names the least number of further successes', () => {
    expect(needed(gateOf(20, 0, bounded(90)).nextSteps)).to.deep.equal([15]);
    expect(gateOf(34, 0, bounded(90)).decision).to.equal('hold');
    expect(gateOf(35, 0, bounded(90)).decision).to.equal('go');
    expect(needed(gateOf(34, 1, bounded(90)).nextSteps)).to.deep.equal([18]);
    expect(gateOf(51, 1, bounded(90)).decision).to.equal('hold');
    expect(gateOf(52, 1, bounded(90)).decision).to.equal('go');
  });

  it('never lets the minimum of 100 pass, and says that no number does', () => {
    const { nextSteps } = gateOf(20, 0, bounded(100));
    expect(needed(nextSteps)).to.deep.equal([null]);
    expect(nextSteps[0]?.message).to.equal(
      'No number of successful deployments brings stability, by the upper bound of its failure rate, to its minimum of 100',
    );
  });

  it('leaves the score as it is', () => {
    const facts = ready({ stability: deployments(9, 1) });
    const score = (rules: Policy) => assessRelease(facts, rules, NOW).score;
    expect(score(bounded(90))).to.equal(score(bounded(90, { stabilityBound: 'rate' })));
    expect(score(bounded(90))).to.equal(98);
  });

  it('takes a waiver that was signed for the same value, and no worse', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'stability', actual: 83.88 });
    expect(gateOf(20, 0, bounded(90), [signed]).decision).to.equal('go');
    const worse = gateOf(19, 0, bounded(90), [signed]);
    expect(worse.decision).to.equal('hold');
    expect(needed(worse.nextSteps)).to.deep.equal([1]);
  });
});

describe('the 95 % Wilson interval, clamped to 0-1', () => {
  for (const [hits, trials, low, high] of [
    [0, 1, 0, 0.793450685622763],
    [1, 1, 0.206549314377237, 1],
    [0, 40, 0, 0.0876],
    [1, 10, 0.01787621, 0.40415],
    [5, 10, 0.2365931, 0.7634069],
    [2, 21, 0.02652, 0.289142],
  ] as const)
    it(`of ${hits} of ${trials} is ${low} to ${high}`, () => {
      const interval = wilsonInterval(hits, trials);
      expect(interval.low).to.be.closeTo(low, 1e-4);
      expect(interval.high).to.be.closeTo(high, 1e-4);
      expect(interval.level).to.equal(0.95);
    });

  it('holds the rate, stays within 0-1, touches the ends exactly and narrows with more trials', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 2), fc.double({ min: 0, max: 1, noNaN: true }), (fewer, rate) => {
        const trials = fewer + 1;
        const hits = Math.round(rate * trials);
        const { low, high } = wilsonInterval(hits, trials);
        expect(low).to.be.within(0, hits / trials);
        expect(high).to.be.within(hits / trials, 1);
        if (hits === 0) expect(low).to.equal(0);
        if (hits === trials) expect(high).to.equal(1);
        const wider = wilsonInterval(hits, trials);
        const narrower = wilsonInterval(hits * 2, trials * 2);
        expect(narrower.high - narrower.low).to.be.lessThan(wider.high - wider.low);
      }),
      { numRuns: 2_000 },
    );
  });
});
