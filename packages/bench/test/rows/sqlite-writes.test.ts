import { expect } from 'chai';
import { sqliteWrites } from '../../src/rows/sqlite-writes.js';
import { runSmall } from './smoke-size.js';

describe('the row of writes on SQLite', () => {
  it('measures both servers and finds every acknowledged record again', async () => {
    const { lines, verifiedRecords } = await runSmall(sqliteWrites);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
