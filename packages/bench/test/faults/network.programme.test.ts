import { network } from '../../src/faults/network.js';
import { runShort } from './short-run.js';

describe('a bad network, and processes that come and go', () => {
  it('loses nothing acknowledged, does nothing twice and fails no request', async () => {
    await runShort(network);
  });
});
