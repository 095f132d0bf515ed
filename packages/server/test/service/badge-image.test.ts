import { expect } from 'chai';
import fc from 'fast-check';
import { badgeImage } from '../../src/service/badge-image.js';
import { wireBadge } from '../../src/wire/badge.js';
import { expectWellFormed } from './well-formed-xml.js';

describe('the image of a badge', () => {
  it('reads itself out and holds nothing from elsewhere', () => {
    const image = badgeImage(wireBadge({ message: '1.0: hold 63.3', decision: 'hold' }));
    expect(image).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img"/);
    expect(image).to.contain('<title>readiness: 1.0: hold 63.3</title>').and.contain('fill="#b42318"');
    expect(image).not.to.match(/<script|<style|style=|href|url\(|@import|onload/i);
  });

  it('takes no markup from a name', () => {
    const image = badgeImage(wireBadge({ message: `"><script>alert('&')</script>: go 90.0`, decision: 'go' }));
    expect(image).not.to.contain('<script').and.not.to.contain(`'&'`);
    expect(image).to.contain('&quot;&gt;&lt;script&gt;');
    expect(image.match(/</g)?.length).to.equal(image.match(/>/g)?.length);
  });

  it('cuts what is long, between characters, and keeps all of it in its title', () => {
    const message = `${'🚀'.repeat(199)}: go`;
    const image = badgeImage(wireBadge({ message, decision: null }));
    expect(image)
      .to.contain(`<title>readiness: ${message}</title>`)
      .and.contain(`${'🚀'.repeat(59)}…: go</text>`);
    expect(image)
      .to.contain('fill="#57606a"')
      .and.not.to.match(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  const shownIn = (image: string): string =>
    /<text x="[\d.]+" y="14" textLength="[\d.]+"[^>]*>([^<]*)<\/text><\/g>/.exec(image)?.[1] ?? '';
  const decided = (name: string) => badgeImage(wireBadge({ message: `${name}: hold 63.3`, decision: 'hold' }));

  it('never cuts what is decided, nor a character that is made of several', () => {
    expect(shownIn(decided('漢'.repeat(200)))).to.equal(`${'漢'.repeat(59)}…: hold 63.3`);
    const family = '👩‍👩‍👧';
    expect(shownIn(decided(family.repeat(40)))).to.equal(`${family.repeat(40)}: hold 63.3`);
    expect(shownIn(decided(family.repeat(61)))).to.equal(`${family.repeat(59)}…: hold 63.3`);
    expect(shownIn(decided('e\u0301'.repeat(60)))).to.equal(`${'e\u0301'.repeat(60)}: hold 63.3`);
  });

  it('shows a name from right to left before what is decided, which no name can turn round', () => {
    expect(shownIn(decided('שלום'))).to.equal('\u2068שלום\u2069: hold 63.3');
    expect(shownIn(decided('مرحبا 2'))).to.equal('\u2068مرحبا 2\u2069: hold 63.3');
    const turned = decided('2.4\u202e\u2067');
    expect(shownIn(turned)).to.equal('2.4: hold 63.3');
    expect(turned).not.to.match(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('has room for wide characters, and no more than is needed for others', () => {
    const width = (name: string): number => Number(/ width="(\d+)"/.exec(decided(name))?.[1]);
    expect(width('漢'.repeat(10)) - width('')).to.be.within(110, 130);
    expect(width('a'.repeat(10)) - width('')).to.be.within(60, 75);
    expect(width('e\u0301\u0302\u0303') - width('e')).to.equal(0);
  });

  it('is XML whose texts lie within it, whatever the name is', () => {
    const odd = fc.constantFrom(
      '<',
      '&',
      '"',
      "'",
      ']]>',
      '<!--',
      '&#0;',
      '\ufffe',
      '\uffff',
      '\u0000',
      '\u202e',
      'א',
      '漢',
      '\u{10ffff}',
    );
    const name = fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 200 });
    fc.assert(
      fc.property(name, (parts) => {
        const image = decided(parts.join(''));
        expectWellFormed(image);
        const total = Number(/^<svg [^>]* width="(\d+)"/.exec(image)?.[1]);
        const halves = [
          ...image.matchAll(
            /<rect x="(\d+)" width="(\d+)"[^>]*\/><text x="([\d.]+)" y="14" textLength="(\d+)" lengthAdjust="spacingAndGlyphs">/g,
          ),
        ];
        expect(halves).to.have.lengthOf(2);
        let end = 0;
        for (const [x, width, middle, length] of halves.map((half) => half.slice(1).map(Number))) {
          expect(x).to.equal(end);
          end += width ?? 0;
          expect(length).to.be.above(0);
          expect((middle ?? 0) - (length ?? 0) / 2).to.be.at.least(x ?? 0);
          expect((middle ?? 0) + (length ?? 0) / 2).to.be.at.most(end);
        }
        expect(end).to.equal(total);
        expect(shownIn(image)).to.match(/: hold 63\.3$/);
      }),
      { numRuns: 500 },
    );
  });
});
