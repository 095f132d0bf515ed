import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const program = fileURLToPath(new URL('../src/what-if.js', import.meta.url));

describe('the engine asked what if', () => {
  it('judges what was changed in thought, and replays another policy', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout.trimEnd().split('\n')).to.deep.equal([
      'was 100 go',
      'would be 98 hold',
      'because: By the upper bound of the 95 % interval of its failure rate, stability is at 69.89, below its minimum of 80',
      'next: Stability needs 13 more successful deployments',
      '2.0: go -> go',
      '2.1: go -> hold',
      '2.2: go -> go',
      '1 of 3 decisions flip; it would have held 2.1',
    ]);
  });
});
