import { expect } from 'chai';
import fc from 'fast-check';
import { measureAxes } from '../../src/readiness/all-axes.js';
import { gateDemands, meets } from '../../src/readiness/gate-demands.js';
import { assessRelease, inAxisOrder, PLACE } from '../../src/readiness/index.js';
import { anyCase } from './arbitrary-release.js';
import { EMPTY, everyAxis, NOW, policy, READY, waiver } from './sample-release.js';

describe('what the gate demands', () => {
  it('is met exactly when the decision is go, for any release, policy and waivers', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        const shares = measureAxes(facts, rules, NOW);
        const demands = gateDemands(rules, shares, waivers, NOW);
        const met = meets(demands, inAxisOrder(rules.weights), shares, facts.quality.open.critical);
        const { decision } = assessRelease(facts, rules, NOW, waivers, { nextSteps: false }).gate;
        expect(met).to.equal(decision === 'go');
      }),
      { numRuns: 5_000 },
    );
  });

  it('asks nothing of an axis of weight 0', () => {
    const rules = policy({ weights: { ...everyAxis(1), ops: 0 } });
    const demands = gateDemands(rules, measureAxes(EMPTY, rules, NOW), [], NOW);
    expect(demands.axes[PLACE.ops]).to.deep.equal({ minimum: 0, mustBeMeasured: false });
    expect(demands.axes[PLACE.scope]).to.deep.equal({ minimum: 6000, mustBeMeasured: true });
  });

  it('asks for measuring only what is unmeasured, required and not waived', () => {
    const rules = policy({ requiredAxes: ['scope', 'ops', 'verification'] });
    const waived = waiver({ code: 'axis_unmeasured', axis: 'ops', actual: null });
    const { axes } = gateDemands(rules, measureAxes(EMPTY, rules, NOW), [waived], NOW);
    expect(axes.filter(({ mustBeMeasured }) => mustBeMeasured)).to.have.length(2);
    expect(axes[PLACE.ops].mustBeMeasured).to.equal(false);
    const ready = gateDemands(rules, measureAxes(READY, rules, NOW), [], NOW);
    expect(ready.axes[PLACE.scope].mustBeMeasured).to.equal(false);
  });
});
