import { expect } from 'chai';
import fc from 'fast-check';
import { withoutCharacterData } from '../src/without-character-data.js';

const passed = (pieces: readonly string[]): string => {
  const { pass, rest } = withoutCharacterData();
  return pieces.map(pass).join('') + rest();
};

const PARTS = ['<a>', 'x\n', '<![CDATA[', ']]>', ']', '>', '<!--', '-->', '-', '\n', '<', '!', '[', 'CDATA'];

describe('withoutCharacterData', () => {
  it('takes out sections and comments and keeps their line breaks', () => {
    expect(passed(['<a>1<![CDATA[2\n<b>\n]]>3<!-- <![CDATA[ \n-->4</a>'])).to.equal('<a>1\n\n3\n4</a>');
  });

  it('makes no difference between one piece and many', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        expect(passed([...text])).to.equal(passed([text]));
        expect(passed(parts)).to.equal(passed([text]));
      }),
    );
  });

  it('keeps as many line breaks as there were', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 20 }), (parts) => {
        const breaks = (text: string) => text.split('\n').length;
        expect(breaks(passed(parts))).to.equal(breaks(parts.join('')));
      }),
    );
  });

  it('hands on the beginning of what never ends', () => {
    expect(passed(['<a><![CDATA[x'])).to.equal('<a><![CDATA[');
    expect(passed(['<a><!-'])).to.equal('<a><!-');
  });
});
