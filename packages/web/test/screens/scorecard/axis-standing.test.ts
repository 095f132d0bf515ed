import type { Reason } from '@shipworthy/client';
import { expect } from 'chai';
import { axisStanding } from '../../../src/screens/scorecard/axis-standing.js';

const reason = (over: Partial<Reason>): Reason => ({
  code: 'axis_below_minimum',
  axis: 'scope',
  actual: 50,
  required: 60,
  message: '',
  waived: false,
  ...over,
});
const standing = (
  reasons: readonly Reason[],
  state: 'measured' | 'unmeasured' = 'measured',
  weight = 1,
): readonly string[] => {
  const gate = { decision: 'hold', decision_without_waivers: 'hold', reasons, waivers: [], next_steps: [] } as const;
  const { look, word } = axisStanding({ axis: 'scope', state, weight }, { gate });
  return [look, word];
};

describe('what the gate makes of an axis', () => {
  it('is a word as well as a colour', () => {
    expect(standing([])).to.deep.equal(['go', 'passes']);
    expect(standing([reason({})])).to.deep.equal(['hold', 'below 60']);
    expect(standing([reason({ waived: true })])).to.deep.equal(['waived', 'waived']);
    const missing = reason({ code: 'axis_unmeasured', actual: null, required: null });
    expect(standing([missing], 'unmeasured')).to.deep.equal(['unknown', 'asked for']);
  });

  it('minds its own reasons only, those that are not waived first', () => {
    expect(standing([reason({ axis: 'ops' })])).to.deep.equal(['go', 'passes']);
    expect(standing([reason({ waived: true }), reason({})])).to.deep.equal(['hold', 'below 60']);
  });

  it('passes nothing that is not measured or that has no weight', () => {
    expect(standing([], 'unmeasured')).to.deep.equal(['aside', 'not asked for']);
    expect(standing([], 'measured', 0)).to.deep.equal(['aside', 'not counted']);
  });
});
