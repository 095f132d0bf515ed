import { expect } from 'chai';
import { type Aim, alternate, comparedLine, isMet, median, quantile } from '../src/figures.js';

const rounds = [
  { ours: 200, bare: 100 },
  { ours: 30, bare: 10 },
  { ours: 500, bare: 100 },
];
const line = (...aims: Aim[]) =>
  comparedLine(rounds, 'ours', 'bare', { what: 'ours', against: 'bare', unit: 'per second', aims });

describe('lineOf', () => {
  it('takes medians of the figures and of the ratios of the rounds', () => {
    expect(line()).to.include({ measured: 200, baseline: 100, ratio: 3, rounds: 3 });
  });
});

describe('isMet', () => {
  it('asks for every aim, its limit included', () => {
    expect(isMet(line())).to.equal(true);
    expect(isMet(line({ of: 'ratio', least: 3 }))).to.equal(true);
    expect(isMet(line({ of: 'ratio', least: 3.01 }))).to.equal(false);
    expect(isMet(line({ of: 'measured', most: 200 }))).to.equal(true);
    expect(isMet(line({ of: 'ratio', least: 3 }, { of: 'measured', most: 199 }))).to.equal(false);
  });
});

describe('alternate', () => {
  it('lets the contestants take turns and keeps their figures by round', async () => {
    const turns: string[] = [];
    const take = (name: string) => async (): Promise<number> => turns.push(name);
    const rounds = await alternate(2, { a: take('a'), b: take('b') });
    expect(turns).to.deep.equal(['a', 'b', 'a', 'b']);
    expect(rounds).to.deep.equal([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
  });
});

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
