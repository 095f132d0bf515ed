import { expect } from 'chai';
import fc from 'fast-check';
import { createShare } from '../../src/http/share.js';

const MOST = 20;

describe('a share', () => {
  it('gives one caller half, and all together everything', () => {
    const share = createShare(MOST);
    expect(share.crossed('ada', 10)).to.equal(null);
    expect(share.crossed('ada', 11)).to.equal('caller');
    share.take('ada', 10);
    expect(share.crossed('ada', 1)).to.equal('caller');
    expect(share.crossed('bob', 10)).to.equal(null);
    share.take('bob', 9);
    expect(share.crossed('eve', 1)).to.equal(null);
    expect(share.crossed('eve', 2)).to.equal('all');
    share.give('ada', 1);
    expect(share.crossed('ada', 1)).to.equal(null);
  });

  it('never holds more than there is, and everything is there again once all is given back', () => {
    const wish = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
        const share = createShare(MOST);
        const granted = wishes.filter(({ caller, amount }) => {
          if (share.crossed(caller, amount) !== null) return false;
          share.take(caller, amount);
          expect(share.taken).to.be.at.most(MOST);
          return true;
        });
        for (const { caller, amount } of granted) share.give(caller, amount);
        expect(share.taken).to.equal(0);
        for (const caller of ['a', 'b', 'c']) expect(share.crossed(caller, MOST / 2)).to.equal(null);
      }),
    );
  });
});
