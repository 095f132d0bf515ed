import { expect } from 'chai';
import { peerReport, reportCost } from '../../src/rows/report-cost.js';
import { runSmall } from './smoke-size.js';

describe('the row of work per report', () => {
  it('measures both databases beside an echo and finds every acknowledged report again', async () => {
    if (process.platform !== 'linux') {
      const failure = await runSmall(reportCost).catch((error: Error) => error.message);
      expect(failure).to.equal('Only Linux tells the processor time of another process.');
      return;
    }
    const { lines, verifiedRecords } = await runSmall(reportCost);
    expect(lines.map(({ unit }) => unit)).to.deep.equal(['µs', 'µs', 'MB', 'MB']);
    for (const { against } of lines) expect(against).to.equal(lines[0]?.against);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});

describe('the row of a peer', () => {
  it('measures both on one PostgreSQL and finds every acknowledged report again after SIGKILL', async () => {
    const { lines, verifiedRecords } = await runSmall(peerReport);
    expect(lines.map(({ unit }) => unit)).to.deep.equal(['per second', 'µs', 'MB']);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
