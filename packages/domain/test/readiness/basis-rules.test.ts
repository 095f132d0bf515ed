import { expect } from 'chai';
import fc from 'fast-check';
import {
  assessRelease,
  basisFaults,
  DEFAULT_POLICY,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { anyValue, nearFacts, nearPolicy, oddValue } from './anything.js';
import { anyCase } from './arbitrary-release.js';
import { deployments, everyAxis, issues, NOW, policy, READY, ready, waiver } from './sample-release.js';

/** As a program without a compiler calls it. */
const assess = (facts: unknown, rules: unknown, asOf: unknown = NOW, waivers?: unknown) =>
  assessRelease(facts as ReleaseFacts, rules as Policy, asOf as number, waivers as readonly Waiver[]);

/** Waivers that are undefined are none. */
const isGiven = (value: unknown): boolean => value !== undefined;

const refusal = (call: () => unknown): TypeError => {
  try {
    call();
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
  return expect.fail('it was judged');
};

describe('what cannot be judged', () => {
  for (const [title, facts, place] of [
    ['a count that is NaN', ready({ scope: { done: Number.NaN, total: 12 } }), '/facts/scope/done'],
    ['a count that is undefined', { ...READY, scope: { total: 12 } }, '/facts/scope/done'],
    ['more done than there is', ready({ scope: { done: 13, total: 12 } }), '/facts/scope/done'],
    ['a negative count', ready({ stability: deployments(-1, 0) }), '/facts/stability/succeeded'],
    ['a fraction', ready({ stability: deployments(0.5, 0) }), '/facts/stability/succeeded'],
    ['facts that are null', null, '/facts'],
    ['a misspelt member', { ...READY, isuesPending: true }, '/facts/isuesPending'],
    ['a member too many in an axis', { ...READY, scope: { done: 12, total: 12, open: 0 } }, '/facts/scope/open'],
  ] as const)
    it(`${title}: a TypeError that names ${place}`, () => {
      const error = refusal(() => assess(facts, DEFAULT_POLICY));
      expect(error.message).to.match(/^The release cannot be judged\. \/facts/);
      expect(error.message).to.contain(`${place}: `);
      expect(error.cause).to.deep.equal(basisFaults(facts, DEFAULT_POLICY, NOW, []));
    });

  for (const [title, rules, place] of [
    ['a threshold that is NaN', policy({ threshold: Number.NaN }), '/policy/threshold'],
    ['a weight that is negative', policy({ weights: everyAxis(-1) }), '/policy/weights/scope'],
    ['a policy that is missing', undefined, '/policy'],
    [
      'an axis required that does not exist',
      { ...DEFAULT_POLICY, requiredAxes: ['verificaton'] },
      '/policy/required_axes/0',
    ],
  ] as const)
    it(`${title}: a TypeError that names ${place}`, () => {
      expect(refusal(() => assess(READY, rules)).message).to.contain(`${place}: `);
    });

  for (const asOf of [undefined, null, Number.NaN, Infinity, 0.5, '2026-01-01', 2 ** 60, new Date(0)])
    it(`the moment ${String(asOf)}: a TypeError that names /as_of`, () => {
      expect(refusal(() => assessRelease(READY, DEFAULT_POLICY, asOf as number)).message).to.contain('/as_of: ');
    });

  for (const [title, changes, place] of [
    ['of a code that does not exist', { code: 'no_weights' }, '/waivers/1/code'],
    ['of an axis that does not exist', { axis: 'speed' }, '/waivers/1/axis'],
    ['without an axis', { axis: undefined }, '/waivers/1/axis'],
    ['signed for less than nothing', { actual: -1 }, '/waivers/1/actual'],
    ['signed for NaN', { actual: Number.NaN }, '/waivers/1/actual'],
    ['signed never', { createdAt: Number.NaN }, '/waivers/1/created_at'],
    ['that ends never', { expiresAt: Infinity }, '/waivers/1/expires_at'],
    ['withdrawn at no moment', { withdrawnAt: undefined }, '/waivers/1/withdrawn_at'],
    ['without an id', { id: undefined }, '/waivers/1/id'],
  ] as const)
    it(`a waiver ${title}: a TypeError that names ${place}`, () => {
      const waivers = [waiver({}), { ...waiver({}), ...changes }];
      expect(refusal(() => assess(READY, DEFAULT_POLICY, NOW, waivers)).message).to.contain(`${place}: `);
    });

  for (const waivers of [null, {}, 'none', [null], [undefined], [[]]])
    it(`waivers that are ${JSON.stringify(waivers)}: a TypeError that names them`, () => {
      expect(refusal(() => assess(READY, DEFAULT_POLICY, NOW, waivers)).message).to.contain('/waivers');
    });

  it('is named with ten faults at most, all of them in the cause', () => {
    const error = refusal(() => assess({}, {}, Number.NaN, null));
    expect(error.message.split('; ')).to.have.length(10);
    expect(error.message).to.match(/ \(and \d+ more\)$/);
    expect(error.cause).to.have.length.greaterThan(15);
  });

  it('is refused exactly where there is a fault, and all else is judged', () => {
    const moment = fc.oneof({ weight: 5, arbitrary: fc.constant(NOW) }, oddValue);
    const facts = fc.oneof(fc.constant(READY), nearFacts, anyValue);
    const rules = fc.oneof(fc.constant(DEFAULT_POLICY), nearPolicy, anyValue);
    fc.assert(
      fc.property(
        facts,
        rules,
        moment,
        fc.oneof(fc.constant([]), anyValue.filter(isGiven)),
        (some, demands, asOf, waivers) => {
          const faults = basisFaults(some, demands, asOf, waivers);
          if (faults.length > 0)
            expect(
              refusal(() => assessRelease(some as ReleaseFacts, demands as Policy, asOf as number, waivers as Waiver[]))
                .cause,
            ).to.deep.equal(faults);
          else expect(assess(some, demands, asOf, waivers).gate.decision).to.be.oneOf(['go', 'hold', 'unknown']);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('is never what the stores and the interface hand in', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        expect(basisFaults(facts, rules, NOW, waivers)).to.deep.equal([]);
      }),
    );
  });
});

describe('a policy stored before weights that are all 0 were refused', () => {
  const rules = policy({ weights: everyAxis(0) });
  const REASON = {
    code: 'no_weights',
    axis: null,
    actual: null,
    required: null,
    message: 'Every weight of the policy is 0, so nothing is judged: give at least one axis a weight above 0',
    waived: false,
  };

  it('is answered with unknown and the reason, and no step', () => {
    const { score, coverage, gate } = assessRelease(READY, rules, NOW);
    expect({ score, coverage }).to.deep.equal({ score: null, coverage: 0 });
    expect(gate).to.deep.include({
      decision: 'unknown',
      decisionWithoutWaivers: 'unknown',
      reasons: [REASON],
      nextSteps: [],
    });
  });

  it('holds for critical bugs, after that reason', () => {
    const { gate } = assessRelease(ready(issues(1, 3, { critical: 2 })), rules, NOW);
    expect(gate.decision).to.equal('hold');
    expect(gate.reasons.map(({ code }) => code)).to.deep.equal(['no_weights', 'open_critical_bugs']);
  });

  it('never becomes go by waivers', () => {
    const facts = ready(issues(1, 3, { critical: 2 }));
    const waivers = [waiver({ code: 'open_critical_bugs', actual: 2 }), waiver({ id: 'w2', actual: 0 })];
    const { gate } = assessRelease(facts, rules, NOW, waivers);
    expect(gate).to.deep.include({ decision: 'unknown', decisionWithoutWaivers: 'hold' });
  });

  it('has a score and no such reason once an axis has a weight', () => {
    const { gate } = assessRelease(READY, policy({ weights: { ...everyAxis(0), ops: 1 } }), NOW);
    expect(gate).to.deep.include({ decision: 'go', reasons: [] });
  });

  it('has no such reason while what has weight is only unmeasured', () => {
    const { gate } = assessRelease(
      { ...READY, verification: null },
      policy({ weights: { ...everyAxis(0), verification: 1 } }),
      NOW,
    );
    expect(gate.reasons.map(({ code }) => code)).to.deep.equal(['axis_unmeasured']);
  });
});
