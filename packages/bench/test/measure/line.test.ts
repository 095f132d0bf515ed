import { expect } from 'chai';
import { type Aim, isMet, lineOf } from '../../src/measure/line.js';

const rounds = [
  { ours: 200, bare: 100 },
  { ours: 30, bare: 10 },
  { ours: 500, bare: 100 },
];
const line = (...aims: Aim[]) =>
  lineOf(rounds, 'ours', 'bare', { what: 'ours', against: 'bare', unit: 'per second', aims });

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
