import { expect } from 'chai';
import { decisionWords } from '../../src/verdict/shown-score.js';

const words = (decision: 'go' | 'hold' | 'unknown', without: 'go' | 'hold' | 'unknown', waivers: number): string =>
  decisionWords({ decision, decision_without_waivers: without, waivers: Array(waivers).fill({}) });

describe('the decision with the waivers that make it', () => {
  it('is the word alone without waivers', () => {
    expect(words('go', 'go', 0)).to.equal('go');
  });

  it('says what it would be without them', () => {
    expect(words('go', 'hold', 1)).to.equal('go with 1 waiver; without it: hold');
    expect(words('hold', 'unknown', 2)).to.equal('hold with 2 waivers; without them: unknown');
  });
});
