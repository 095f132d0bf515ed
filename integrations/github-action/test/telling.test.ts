import { expect } from 'chai';
import fc from 'fast-check';
import { outputsOf } from '../src/outputs.js';
import { escaped, tellingOf } from '../src/telling.js';

const telling = (data: Readonly<Record<string, unknown>>) => {
  const document = { data, error: undefined };
  return tellingOf('gate', outputsOf('gate', 0, document), document);
};
const GO = { decision: 'go', decision_without_waivers: 'go', waivers: [], score: 100, coverage: 1 };

describe('what the job summary says of the gate', () => {
  it('names the waivers in force and what would be decided without', () => {
    expect(telling(GO).title).to.equal('Ship gate: go');
    const waived = { ...GO, decision_without_waivers: 'hold', waivers: [{}] };
    expect(telling(waived).title).to.equal('Ship gate: go with 1 waiver. Without it: hold');
    const unknown = { ...GO, decision_without_waivers: 'unknown', waivers: [{}, {}], shadow: true };
    expect(telling(unknown).title).to.equal('Ship gate: go with 2 waivers. Without them: unknown (in shadow)');
  });

  it('shows no score without what it covers', () => {
    const partial = { ...GO, decision: 'unknown', coverage: 0.2, axes: { measured: 1, of: 5 } };
    expect(telling(partial).rows).to.deep.equal([['Score', '100.0, 1 of 5 measured']]);
    expect(telling({ ...partial, score: null }).rows).to.deep.equal([['Score', '1 of 5 measured']]);
    expect(telling({ ...partial, axes: undefined }).rows).to.deep.equal([['Score', '100.0, coverage 0.2']]);
  });
});

describe('escaped', () => {
  it('leaves no character that HTML or Markdown reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(escaped(text)).to.not.match(/[<>"'`*_[\]()|\\~@:/\n]/);
      }),
    );
  });

  it('shows the text as it was, but for its white space', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = escaped(text).replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
        expect(read).to.equal(text.replace(/\s+/g, ' '));
      }),
    );
  });
});
