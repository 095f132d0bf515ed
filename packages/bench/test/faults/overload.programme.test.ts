import { expect } from 'chai';
import { overload } from '../../src/faults/overload.js';
import { runShort } from './short-run.js';

describe('a server that much too much is asked of', () => {
  it('answers everybody, if only with when to come again, and serves others', async () => {
    const { remarks } = await runShort(overload);
    expect(remarks.join('\n')).to.contain('slow sockets');
  });
});
