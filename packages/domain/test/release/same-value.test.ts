import { expect } from 'chai';
import { sameValue } from '../../src/release/same-value.js';

describe('Whether two values are the same', () => {
  it('is told member by member, whatever their order', () => {
    expect(sameValue({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).to.equal(true);
    expect(sameValue({ a: 1, b: undefined }, { a: 1 })).to.equal(true);
    expect(sameValue('x', 'x')).to.equal(true);
  });
  it('is denied for any member that differs, lacks or is of another kind', () => {
    for (const other of [{ a: 2 }, { a: '1' }, {}, { a: 1, b: 0 }, { b: 1 }, [1], null, 1, { a: [1] }])
      expect(sameValue({ a: 1 }, other)).to.equal(false);
    expect(sameValue([1, 2], [2, 1])).to.equal(false);
    expect(sameValue([], {})).to.equal(false);
    expect(sameValue({ a: null }, {})).to.equal(false);
  });
});
