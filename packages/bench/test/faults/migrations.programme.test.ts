import { expect } from 'chai';
import { migrations } from '../../src/faults/migrations.js';
import { runShort } from './short-run.js';

describe('schema steps, backups and copies that are killed in the middle', () => {
  it('need no hand and lose nothing', async () => {
    const { lines } = await runShort(migrations);
    const said = lines.map(({ what }) => what).join('\n');
    for (const kind of ['SQLite', 'PostgreSQL']) expect(said).to.contain(`${kind}: a starter killed`);
  });
});
