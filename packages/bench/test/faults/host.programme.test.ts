import { expect } from 'chai';
import { host } from '../../src/faults/host.js';
import { runShort } from './short-run.js';

describe('a repository host that fails and lies', () => {
  it('is never said to have refused, and its rows are imported once each', async () => {
    const { lines } = await runShort(host);
    expect(lines.map(({ what }) => what).join('\n')).to.contain('The check right after each fault');
  });
});
