import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, DEFAULT_POLICY, type GateDecision, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyCase, anyFacts, anyPolicy, type Case } from './arbitrary-release.js';
import { HOUR, ISSUES_AS_OF, NOW, ready, testRun } from './sample-release.js';

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

/** The same value with the keys of every object in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
};

const assess = ({ facts, policy, waivers }: Case) => assessRelease(facts, policy, NOW, waivers);

describe('assessing a release is pure', () => {
  it('the same arguments give the same report', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        expect(assess(structuredClone(one))).to.deep.equal(assess(one));
      }),
    );
  });

  it('takes frozen arguments and changes none', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const before = structuredClone(one);
        const report = assess(frozen(one));
        expect(one).to.deep.equal(before);
        expect(report).to.deep.equal(assess(before));
      }),
    );
  });

  it('neither the order of waivers nor that of keys matters', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const other = reversed(one) as Case;
        const report = assess({ ...other, waivers: [...other.waivers].reverse() });
        expect(report).to.deep.equal(assess(one));
      }),
      { numRuns: 1_000 },
    );
  });

  it('its report survives being written down and read again', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const report = assess(one);
        expect(JSON.parse(JSON.stringify(report))).to.deep.equal(report);
      }),
    );
  });

  it('needs neither waivers nor options', () => {
    fc.assert(
      fc.property(anyFacts, anyPolicy, (facts, rules) => {
        expect(assessRelease(facts, rules, NOW)).to.deep.equal(
          assessRelease(facts, rules, NOW, [], { nextSteps: true }),
        );
      }),
    );
  });

  it('names its moment and its formula', () => {
    expect(assessRelease(ready({}), DEFAULT_POLICY, NOW)).to.include({ asOf: NOW, formula: '1' });
  });

  it('gives the same judgement for any moment of the issues, and the same bytes for the same facts', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const judge = (issuesAsOf: number | null) => assessRelease({ ...facts, issuesAsOf }, policy, NOW, waivers);
        const { axes, ...current } = judge(null);
        const { axes: known, ...stale } = judge(ISSUES_AS_OF);
        expect(stale).to.deep.equal(current);
        for (const [index, { explanation, asOf, ...reading }] of known.entries()) {
          const isStale = index < 2;
          expect(axes[index]).to.deep.include(reading);
          expect(asOf).to.equal(isStale ? ISSUES_AS_OF : null);
          expect(explanation.endsWith(', as of 14:03 UTC on 2024-04-30')).to.equal(isStale);
        }
        expect(JSON.stringify(judge(ISSUES_AS_OF))).to.equal(JSON.stringify(judge(ISSUES_AS_OF)));
        const { issuesAsOf: _, ...without } = facts;
        expect(JSON.stringify(assessRelease(without, policy, NOW, waivers))).to.equal(JSON.stringify(judge(null)));
      }),
      { numRuns: 500 },
    );
  });

  it('depends on its moment through freshness and expiry alone', () => {
    const facts = ready({ verification: testRun(9, 10, { ranAt: NOW }) });
    const at = (asOf: number) => ({ ...assessRelease(facts, DEFAULT_POLICY, asOf), asOf: 0 });
    expect(at(NOW + 9_000 * HOUR)).to.deep.equal(at(NOW));
  });
});

describe('assessing a release is monotonous', () => {
  const rank: { readonly [decision in GateDecision]: number } = { hold: 0, unknown: 1, go: 2 };

  const neverWorse = (title: string, better: (facts: ReleaseFacts) => ReleaseFacts | null): void => {
    it(title, () => {
      fc.assert(
        fc.property(anyCase, ({ facts, policy, waivers }) => {
          const improved = better(facts);
          if (improved === null) return;
          const before = assessRelease(facts, policy, NOW, waivers, { nextSteps: false });
          const after = assessRelease(improved, policy, NOW, waivers, { nextSteps: false });
          expect(after.score ?? -1).to.be.at.least(before.score ?? -1);
          expect(rank[after.gate.decision]).to.be.at.least(rank[before.gate.decision]);
          const without = rank[after.gate.decisionWithoutWaivers];
          expect(without).to.be.at.least(rank[before.gate.decisionWithoutWaivers]);
        }),
        { numRuns: 1_500 },
      );
    });
  };

  neverWorse('closing an issue never lowers the score or the decision', (facts) => {
    const openBugs = facts.quality.total - facts.quality.resolved;
    if (facts.scope.total - facts.scope.done <= openBugs) return null;
    return { ...facts, scope: { ...facts.scope, done: facts.scope.done + 1 } };
  });

  neverWorse('resolving a bug never lowers the score or the decision', (facts) => {
    const { resolved, total, open } = facts.quality;
    if (open.critical === 0) return null;
    return {
      ...facts,
      scope: { ...facts.scope, done: facts.scope.done + 1 },
      quality: { resolved: resolved + 1, total, open: { ...open, critical: open.critical - 1 } },
    };
  });

  neverWorse('ticking a checklist item never lowers the score or the decision', (facts) =>
    facts.ops.done === facts.ops.total ? null : { ...facts, ops: { ...facts.ops, done: facts.ops.done + 1 } },
  );

  neverWorse('one more passing test instead of a failing one never lowers the score or the decision', (facts) => {
    const run = facts.verification;
    return run === null || run.passed === run.total
      ? null
      : { ...facts, verification: { ...run, passed: run.passed + 1 } };
  });

  neverWorse('one failing test fewer never lowers the score: one more never raises it', (facts) => {
    const run = facts.verification;
    if (run === null || run.passed === run.total || run.total === 1) return null;
    return { ...facts, verification: { ...run, total: run.total - 1 } };
  });
});
