import { expect } from 'chai';
import { type Decision, gateText } from '../../src/wording/names.js';

const text = (decision: Decision, without: Decision, waivers: number): string =>
  gateText({ decision, decision_without_waivers: without, waivers: Array(waivers).fill({}) });

describe('the decision of the gate, in words', () => {
  it('says that all is met only without waivers', () => {
    expect(text('go', 'go', 0)).to.equal('Everything the policy asks for is met.');
    expect(text('go', 'hold', 1)).to.equal('Go with 1 waiver. Without it: Hold.');
    expect(text('go', 'unknown', 2)).to.equal('Go with 2 waivers. Without them: Unknown.');
  });

  it('names waivers that do not suffice, too', () => {
    expect(text('hold', 'hold', 1)).to.equal('Hold with 1 waiver. Without it: Hold.');
    expect(text('unknown', 'hold', 2)).to.equal('Unknown with 2 waivers. Without them: Hold.');
  });
});
