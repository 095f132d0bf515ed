import { expect } from 'chai';
import { hostImport } from '../../src/rows/host-import.js';
import { runSmall } from './smoke-size.js';

describe('the row of the import from a host', () => {
  it('imports into both databases and finds every row of the host again', async () => {
    const { lines, verifiedRecords, remarks } = await runSmall(hostImport);
    expect(lines).to.have.length(process.platform === 'linux' ? 12 : 8);
    // Two databases; 5 runs of 500 issues and 100 deployments, the last 3 of them with 5 more.
    expect(verifiedRecords).to.equal(2 * (5 * 600 + 3 * 5));
    expect(remarks.join('\n')).to.include('Requests of the first run: 0 conditional');
  });
});
