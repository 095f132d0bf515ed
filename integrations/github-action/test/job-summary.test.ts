import { expect } from 'chai';
import fc from 'fast-check';
import { escaped } from '../src/job-summary.js';

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
