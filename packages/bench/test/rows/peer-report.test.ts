import { expect } from 'chai';
import { peerReport } from '../../src/rows/peer-report.js';
import { runSmall } from './smoke-size.js';

describe('the row of a peer', () => {
  it('measures both on one PostgreSQL and finds every acknowledged report again after SIGKILL', async () => {
    const { lines, verifiedRecords } = await runSmall(peerReport);
    expect(lines.map(({ unit }) => unit)).to.deep.equal(['per second', 'µs', 'MB']);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
