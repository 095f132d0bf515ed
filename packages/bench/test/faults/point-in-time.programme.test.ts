import { pointInTime } from '../../src/faults/point-in-time.js';
import { runShort } from './short-run.js';

describe('a database that is restored to a moment', () => {
  it('has everything acknowledged before it, and nothing that was sent later', async () => {
    await runShort(pointInTime);
  });
});
