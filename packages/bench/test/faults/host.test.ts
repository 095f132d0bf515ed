import { expect } from 'chai';
import { isBroken } from '../../src/faults/fault-programme.js';
import { host } from '../../src/faults/programmes/host.js';
import { openWorkshop } from '../../src/process/workshop.js';

describe('a repository host that fails and lies', () => {
  it('is never said to have refused, and its rows are imported once each', async () => {
    const workshop = openWorkshop();
    try {
      const { lines } = await host.run('short', workshop);
      expect(lines.filter(isBroken)).to.deep.equal([]);
      expect(lines.map(({ what }) => what).join('\n')).to.contain('The check right after each fault');
    } finally {
      await workshop.close();
    }
  }).timeout(240_000);
});
