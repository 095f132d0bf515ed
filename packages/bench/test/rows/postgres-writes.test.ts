import { expect } from 'chai';
import { postgresWrites } from '../../src/rows/postgres-writes.js';
import { runSmall } from './smoke-size.js';

describe('the row of writes on PostgreSQL', () => {
  it('measures both servers and finds every acknowledged record again', async () => {
    const { lines, verifiedRecords } = await runSmall(postgresWrites);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
