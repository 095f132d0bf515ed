import { expect } from 'chai';
import type { Line } from '../../src/measure/line.js';
import { whyMissed } from '../../src/page/why-missed.js';

const lineWith = (what: string, ratio: number, whyMissedText?: string): Line => ({
  what,
  against: 'bare inserts',
  unit: 'per second',
  measured: 300,
  baseline: 100,
  ratio,
  rounds: 5,
  aims: [{ of: 'ratio', least: 3 }],
  ...(whyMissedText === undefined ? {} : { whyMissed: whyMissedText }),
});

describe('why aims were missed', () => {
  it('is said once for all lines that miss for one reason, and never of a line that is met', () => {
    expect(
      whyMissed([lineWith('met', 3, 'never said.'), lineWith('one', 2, 'the disk.'), lineWith('two', 1, 'the disk.')]),
    ).to.deep.equal(['**Missed (one; two):** the disk.']);
  });

  it('is admitted where it is not known', () => {
    expect(whyMissed([lineWith('one', 2)])).to.deep.equal(['**Missed (one):** not known yet.']);
  });
});
