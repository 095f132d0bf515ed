import { expect } from 'chai';
import type { Line } from '../../src/figures.js';
import { markdownTable, textTable, whyMissed } from '../../src/page/table.js';

const line: Line = {
  what: 'writes',
  against: 'bare inserts',
  unit: 'per second',
  measured: 15_000.4,
  baseline: 7_500,
  ratio: 2,
  rounds: 5,
  aims: [{ of: 'ratio', least: 1.5 }],
};
const slow: Line = {
  ...line,
  unit: 'ms',
  measured: 12.5,
  baseline: 10,
  ratio: 1.25,
  aims: [{ of: 'measured', most: 10 }],
};

describe('the table', () => {
  it('shows figure, baseline, ratio, aim and whether it is met', () => {
    expect(markdownTable([line, slow]).split('\n').slice(2)).to.deep.equal([
      '| writes | bare inserts | 15,000/s | 7,500/s | 2.00x | >= 1.5x | met |',
      '| writes | bare inserts | 12.50 ms | 10.00 ms | 1.25x | <= 10 ms | missed |',
    ]);
  });

  it('writes seconds, memory and counts of requests as such', () => {
    const cells = (['s', 'MB', 'requests'] as const).map(
      (unit) => /\| ([^|]+) \| [^|]+ \| 2\.00x/.exec(markdownTable([{ ...line, unit }]))?.[1],
    );
    expect(cells).to.deep.equal(['15000.40 s', '15000 MB', '15,000']);
  });

  it('sets the same cells in columns on the screen', () => {
    const [head, first, second] = textTable([line, slow]).split('\n');
    expect(head?.indexOf('measured')).to.equal(first?.indexOf('15,000/s'));
    expect(second).to.match(/12\.50 ms +10\.00 ms +1\.25x +<= 10 ms +missed$/);
  });
});

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
