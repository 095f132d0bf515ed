import { expect } from 'chai';
import { median, quantile } from '../../src/measure/median.js';

describe('median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([4, 1, 2, 9])).to.equal(3);
    expect(median([])).to.be.NaN;
  });

  it('leaves its input as it was', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).to.deep.equal([3, 1, 2]);
  });
});

describe('quantile', () => {
  it('is the value at its nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(hundred, 0.99)).to.equal(99);
    expect(quantile(hundred, 0.5)).to.equal(50);
    expect(quantile([7], 0.99)).to.equal(7);
    expect(quantile([], 0.5)).to.be.NaN;
  });
});
