import { expect } from 'chai';
import { pastImport } from '../../src/rows/past-import.js';
import { runSmall } from './smoke-size.js';

describe('the row of past deployments', () => {
  it('imports a file by the command and finds every row of it again, once', async () => {
    const { lines, verifiedRecords } = await runSmall(pastImport);
    expect(lines).to.have.length(2);
    expect(verifiedRecords).to.equal(2_500);
  });
});
