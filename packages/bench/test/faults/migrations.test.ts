import { expect } from 'chai';
import { isBroken } from '../../src/faults/fault-programme.js';
import { migrations } from '../../src/faults/programmes/migrations.js';
import { openWorkshop } from '../../src/process/workshop.js';

describe('schema steps, backups and copies that are killed in the middle', () => {
  it('need no hand and lose nothing', async () => {
    const workshop = openWorkshop();
    try {
      const { lines } = await migrations.run('short', workshop);
      expect(lines.filter(isBroken)).to.deep.equal([]);
      const said = lines.map(({ what }) => what).join('\n');
      for (const kind of ['SQLite', 'PostgreSQL']) expect(said).to.contain(`${kind}: a starter killed`);
    } finally {
      await workshop.close();
    }
  }).timeout(240_000);
});
