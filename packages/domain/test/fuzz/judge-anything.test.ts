import { expect } from 'chai';
import { CountedReads } from './counted-reads.js';
import { judgeAnything } from './judge-anything.js';

describe('the engine, handed anything', () => {
  it('ends each of 5,000 inputs within a counted number of reads, in a TypeError or a score', () => {
    const { finding, cases, judged, refused } = judgeAnything({ cases: 5_000, seed: 20_261_122 });
    expect(finding).to.equal(null);
    expect(cases).to.equal(5_000);
    expect(Math.min(judged, refused)).to.be.greaterThan(500);
  });

  it('is stopped where it reads without end', () => {
    const reads = new CountedReads([{ done: 1 }]);
    const facts = reads.of({ done: 1 }) as { readonly done: number };
    const endless = (): void => {
      while (facts.done > 0);
    };
    expect(endless).to.throw(RangeError, 'more reads');
    expect(reads.areTooMany).to.equal(true);
  });
});
