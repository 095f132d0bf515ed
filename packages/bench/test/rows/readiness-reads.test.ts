import { expect } from 'chai';
import { readinessReads } from '../../src/rows/readiness-reads.js';
import { runSmall } from './smoke-size.js';

describe('the row of readiness reads', () => {
  it('measures changed, unchanged and 304 reads over generated deployments that the report counts', async () => {
    const { lines, verifiedRecords } = await runSmall(readinessReads);
    expect(lines).to.have.length(5);
    expect(verifiedRecords).to.equal(4_000);
  });
});
