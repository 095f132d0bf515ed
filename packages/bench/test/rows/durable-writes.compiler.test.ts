import { expect } from 'chai';
import { slowerDiskWrites } from '../../src/rows/durable-writes.js';
import { runSmall } from './smoke-size.js';

describe('the row of writes on a slower disk', () => {
  it('measures both databases, where one insert after the other takes its flush each', async () => {
    const { lines, verifiedRecords } = await runSmall(slowerDiskWrites);
    expect(lines.map(({ what }) => what.split(':')[0])).to.deep.equal(['PostgreSQL', 'SQLite']);
    expect(lines[1]?.baseline).to.be.lessThan(1_000);
    expect(verifiedRecords).to.be.greaterThan(0);
    expect(process.env).to.not.have.property('LD_PRELOAD');
  });
});
