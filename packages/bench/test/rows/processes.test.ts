import { expect } from 'chai';
import { processes } from '../../src/rows/processes.js';
import { runSmall } from './smoke-size.js';

describe('the row of several processes', () => {
  it('stores on all of them at once and finds every acknowledged record again, once', async () => {
    const { lines, verifiedRecords } = await runSmall(processes);
    expect(lines).to.have.length(1);
    expect(verifiedRecords).to.be.greaterThan(0);
  });
});
