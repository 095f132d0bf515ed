import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const program = fileURLToPath(new URL('../src/main.js', import.meta.url));

describe('the engine embedded alone', () => {
  it('judges the facts it is given, and says what is next', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const lines = stdout.trimEnd().split('\n');
    // (90 + 83.33 + 66.66 + 99.51 + 90) / 5, from the unrounded shares.
    expect(lines[0]).to.equal('score 85.9, coverage 1, gate hold');
    expect(lines.slice(1, 6).map((line) => line.trim().split(':', 1)[0])).to.deep.equal([
      'scope',
      'quality',
      'ops',
      'verification',
      'stability',
    ]);
    expect(lines.slice(6)).to.deep.equal([
      'because: Ops is at 66.66, below its minimum of 100',
      'next: Tick 1 checklist item: Rollback (+6.66)',
    ]);
  });
});
