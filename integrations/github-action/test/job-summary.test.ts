import { expect } from 'chai';
import fc from 'fast-check';
import { escaped } from '../src/job-summary.js';
import { inert } from '../src/log.js';

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

describe('inert', () => {
  it('leaves no command of the runner, and other text alone', () => {
    expect(inert('a::b\n ::set-env name=a::b\n##[group]x\n:: y')).to.equal(
      'a::b\n : :set-env name=a::b\n## [group]x\n: : y',
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(':', '#', '[', '\n', '\r', ' ', 'a') }), (text) => {
        expect(inert(text)).to.not.match(/(^|[\r\n])\s*::|##\[/);
      }),
    );
  });
});
