import { expect } from 'chai';
import { postgresWrites, processes, sqliteWrites } from '../../src/rows/durable-writes.js';
import { runSmall } from './smoke-size.js';

describe('the row of writes on PostgreSQL', () => {
  it('measures both servers and finds every acknowledged record again', async () => {
    const { lines, verifiedRecords } = await runSmall(postgresWrites);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});

describe('the row of writes on SQLite', () => {
  it('measures both servers and finds every acknowledged record again', async () => {
    const { lines, verifiedRecords } = await runSmall(sqliteWrites);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});

describe('the row of several processes', () => {
  it('stores on all of them at once and finds every acknowledged record again, once', async () => {
    const { lines, verifiedRecords } = await runSmall(processes);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
