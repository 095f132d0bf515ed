import { expect } from 'chai';
import fc from 'fast-check';
import { lineOf, lineOrNull, webAddress } from '../../src/repository/host.js';

describe('Text of the repository host', () => {
  it('becomes one line', () => {
    expect(lineOf(' a\tb\r\nc\u0000d\u2028e ')).to.equal('a b  c d e');
    expect(lineOf('half \ud83d a pair')).to.equal('half   a pair');
    expect(lineOf('\n\t')).to.equal('');
    expect(lineOf('\u200b \u3164')).to.equal('');
    expect(lineOf('\u202egnp.exe\u2069')).to.equal('gnp.exe');
    expect(lineOrNull('\n')).to.equal(null);
    expect(lineOrNull(null)).to.equal(null);
    expect(lineOrNull('ci')).to.equal('ci');
  });
  it('is cut between characters', () => {
    expect(lineOf('🚀'.repeat(300))).to.equal('🚀'.repeat(200));
    expect(lineOf(`${'a'.repeat(199)} b`)).to.equal('a'.repeat(199));
    expect(lineOf('abcdef', 3)).to.equal('abc');
  });
  it('always is a line the contract takes, and stays what it is then', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 450 }), (text) => {
        const line = lineOf(text);
        expect([...line].length).to.be.at.most(200);
        expect(line).not.to.match(/[\p{Cc}\p{Cs}]/u);
        expect(lineOf(line)).to.equal(line);
      }),
    );
  });
  it('is an address only if it is one of the web, and not too long', () => {
    const long = `https://host.example/${'a'.repeat(2048 - 21)}`;
    expect(long).to.have.length(2048);
    for (const url of ['https://host.example/1', 'https://host.example/@ada/repo', 'HTTP://host.example', long])
      expect(webAddress(url)).to.equal(url);
    for (const url of [
      `${long}a`,
      'javascript:alert(1)',
      'https://a b',
      'https://ada:pw@a.example/',
      'https://t0ken@a.example',
      'https://',
      '',
      'https://a\u0007b',
      'https:\\a',
    ])
      expect(webAddress(url), url).to.equal(null);
    expect(webAddress(null)).to.equal(null);
  });
});
