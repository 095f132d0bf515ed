import { killBehindPooler } from '../../src/faults/kill.js';
import { runShort } from './short-run.js';

describe('a server behind a pooler that is killed', () => {
  it('loses nothing it acknowledged and does nothing twice', async () => {
    await runShort(killBehindPooler);
  });
});
