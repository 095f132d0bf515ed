import { expect } from 'chai';
import { legible, shownText, widthOf } from '../../src/service/badge-text.js';

describe('the text of a badge', () => {
  it('holds what XML may hold, and no control of direction', () => {
    expect(legible('2.4\u0000\ufffe\uffff\ud800')).to.equal('2.4\ufffd\ufffd\ufffd\ufffd');
    expect(legible('a\u202eb\u2066c\u2069 \u{1f680}')).to.equal('abc \u{1f680}');
  });

  it('keeps what is decided, whatever stands before it', () => {
    const name = 'n'.repeat(61);
    const partly = [': unknown, 0 of 5 measured', ': hold 63.3, 4 of 5 measured'];
    const waived = [': go with 1 waiver 45.0, 2 of 5 measured', ': hold with 12 waivers 91.0'];
    for (const decision of [': go 90.0', ': hold 0.0', ': unknown', ': go 100.0', ...partly, ...waived])
      expect(shownText(`${name}${decision}`)).to.equal(`${name.slice(0, 59)}…${decision}`);
    expect(shownText(': go 1.0: hold 63.3')).to.equal(': go 1.0: hold 63.3');
    expect(shownText('שלום: go with 1 waiver 45.0')).to.equal('\u2068שלום\u2069: go with 1 waiver 45.0');
    expect(shownText('no active release')).to.equal('no active release');
  });

  it('is as wide as its characters, marks and joiners taking no room', () => {
    expect(widthOf('')).to.equal(0);
    expect(widthOf('2.4')).to.be.closeTo(3 * 6.6, 1e-9);
    expect(widthOf('e\u0301\u200d')).to.equal(6.6);
    expect(widthOf('漢字🚀')).to.equal(36);
    expect(widthOf('שלום')).to.equal(32);
  });
});
