import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, factsAfter, type OwnAxis, type Policy, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyCase, type Case, smallCount } from './arbitrary-release.js';
import { exactScore, type Fraction, reaches, roundedDown } from './rational-oracle.js';
import { HOUR, NOW } from './sample-release.js';

const NAMES = [
  'a11y',
  'b_two',
  'cost',
  'docs_done',
  'i18n',
  'legal',
  'perf',
  'security',
  'size',
  'spend',
  'trust',
  'zeal',
];

interface Own {
  readonly axis: OwnAxis;
  readonly report: { readonly part: number; readonly whole: number | null; readonly age: number } | null;
}

const ownOf = (name: string): fc.Arbitrary<Own> =>
  fc
    .record({
      weight: fc.constantFrom(0, 1, 1, 2, 7, 1000),
      minimum: fc.constantFrom(0, 50, 66.67, 99.99, 100),
      required: fc.boolean(),
      freshForHours: fc.constantFrom(null, 1, 24),
      part: smallCount,
      rest: fc.oneof(smallCount, fc.nat(2 ** 28)),
      kind: fc.constantFrom('none', 'null', 'given', 'given', 'given', 'given'),
      age: fc.nat(30),
    })
    .map(({ weight, minimum, required, freshForHours, part, rest, kind, age }) => ({
      axis: weight === 0 ? { name, weight, freshForHours } : { name, weight, minimum, required, freshForHours },
      report:
        kind === 'none'
          ? null
          : part + rest === 0 || kind === 'null'
            ? { part: 0, whole: null, age }
            : { part, whole: part + rest, age },
    }));

/** Cases with 1 to 12 own axes, in any order. */
const withOwn: fc.Arbitrary<Case & { readonly own: readonly Own[] }> = fc
  .tuple(anyCase, fc.shuffledSubarray(NAMES, { minLength: 1 }))
  .chain(([one, names]) =>
    fc.tuple(...names.map(ownOf)).map((own) => ({
      ...one,
      own,
      policy: { ...one.policy, ownAxes: own.map(({ axis }) => axis) },
      facts: {
        ...one.facts,
        ownAxes: Object.fromEntries(
          own.flatMap(({ axis, report }) =>
            report === null
              ? []
              : [
                  [
                    axis.name,
                    {
                      ...{ part: report.part, whole: report.whole, explanation: null, url: null },
                      measuredAt: NOW - report.age * HOUR,
                    },
                  ],
                ],
          ),
        ),
      },
    })),
  );

/** The exact share of an own axis, by a way of its own. */
const exactOwn = ({ axis, report }: Own): Fraction | null => {
  if (report === null || report.whole === null) return null;
  const hours = axis.freshForHours ?? null;
  return hours !== null && report.age > hours ? null : [BigInt(report.part), BigInt(report.whole)];
};

/** The exact score over all axes as a fraction of 1. */
const exactAll = (facts: ReleaseFacts, policy: Policy, own: readonly Own[]): Fraction | null => {
  const five = exactScore(facts, policy, NOW);
  let weight = 0n;
  for (const reading of assessRelease(facts, policy, NOW, [], { nextSteps: false }).axes)
    if (reading.state === 'measured') weight += BigInt(reading.weight);
  let [top, bottom]: Fraction = five === null ? [0n, 1n] : [five[0] * weight, five[1]];
  for (const one of own) {
    const part = exactOwn(one);
    const each = BigInt(one.axis.weight ?? 0);
    if (part === null || each === 0n) continue;
    top = top * part[1] + each * part[0] * bottom;
    bottom *= part[1];
    weight += each;
  }
  return weight === 0n ? null : [top, bottom * weight];
};

const standing = ({ policy, waivers }: Case, facts: ReleaseFacts): readonly string[] => {
  const { gate, score } = assessRelease(facts, policy, NOW, waivers, { nextSteps: false });
  const names = gate.reasons.filter(({ waived }) => !waived).map(({ code, axis }) => `${code} ${axis ?? ''}`);
  return score === null ? [...names, 'no score'] : names;
};

describe('1 to 12 own axes, for any release', () => {
  it('the score is the exact weighted mean over all axes, and each minimum is met exactly', () => {
    fc.assert(
      fc.property(withOwn, ({ facts, policy, own }) => {
        const judged = assessRelease(facts, policy, NOW);
        const exact = facts.testRunSetAside ? null : exactAll(facts, policy, own);
        if (!facts.testRunSetAside) expect(judged.score).to.equal(exact === null ? null : roundedDown(exact));
        for (const one of own) {
          const part = exactOwn(one);
          const { weight = 0, minimum = 0, required = false, name } = one.axis;
          const given = judged.gate.reasons.filter(({ axis }) => axis === name).map(({ code }) => code);
          const expected =
            weight === 0
              ? []
              : part === null
                ? required
                  ? ['axis_unmeasured']
                  : []
                : reaches(part, minimum)
                  ? []
                  : ['axis_below_minimum'];
          expect(given).to.deep.equal(expected);
        }
        expect(judged.formula).to.equal(own.some(({ axis }) => (axis.weight ?? 0) > 0) ? '2' : '1');
        expect(judged.ownAxes?.map(({ axis }) => axis)).to.deep.equal(own.map(({ axis }) => axis.name).sort());
      }),
      { numRuns: 4_000 },
    );
  });

  it('the order in which a policy names them means nothing', () => {
    fc.assert(
      fc.property(withOwn, ({ facts, policy, waivers }) => {
        const turned = { ...policy, ownAxes: [...(policy.ownAxes ?? [])].reverse() };
        expect(assessRelease(facts, turned, NOW, waivers)).to.deep.equal(assessRelease(facts, policy, NOW, waivers));
      }),
      { numRuns: 1_000 },
    );
  });

  it('applying all steps yields go, and no step can be made smaller by one', () => {
    fc.assert(
      fc.property(withOwn, (one) => {
        const { facts, policy, waivers } = one;
        const { gate } = assessRelease(facts, policy, NOW, waivers);
        const steps = gate.nextSteps.filter(({ action }) => action !== 'count_every_suite');
        const left = standing(one, factsAfter(facts, steps, NOW));
        if (steps.every(({ count, action }) => count !== null || action === 'await_import'))
          expect(left, 'sufficient').to.deep.equal([]);
        steps.forEach(({ count }, at) => {
          if (count === null) return;
          const fewer = steps.map((step, index) => (index === at ? { ...step, count: count - 1 } : step));
          const more = standing(one, factsAfter(facts, fewer, NOW)).filter((reason) => !left.includes(reason));
          expect(more, `minimal: ${JSON.stringify(steps)} at ${at}`).not.to.deep.equal([]);
        });
      }),
      { numRuns: 4_000 },
    );
  });
});
