import { expect } from 'chai';
import { isBroken } from '../../src/faults/fault-programme.js';
import { overload } from '../../src/faults/programmes/overload.js';
import { openWorkshop } from '../../src/process/workshop.js';

describe('a server that much too much is asked of', () => {
  it('answers everybody, if only with when to come again, and serves others', async () => {
    const workshop = openWorkshop();
    try {
      const { lines, remarks } = await overload.run('short', workshop);
      expect(lines.filter(isBroken)).to.deep.equal([]);
      expect(remarks.join('\n')).to.contain('slow sockets');
    } finally {
      await workshop.close();
    }
  }).timeout(240_000);
});
