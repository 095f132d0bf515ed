import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const WALK = new URL('../src/json-walk.js', import.meta.url);

const COUNTER = fileURLToPath(new URL('count-big.js', import.meta.url));
/** The heap's own limit is the sharper test: a tree of 200,000 tests does not fit into it. */
const MOST_MORE_MB = 100;

const counted = async (format: string, cases: number) => {
  const args = ['--max-old-space-size=64', COUNTER, format, String(cases)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { total: number; passed: number; failed: number; peakMb: number };
};

describe('a report of 200,000 tests', () => {
  for (const format of ['junit', 'retried', 'jest', 'playwright', 'tap'])
    it(`is counted in the memory of a small one: ${format}`, async () => {
      const [small, big] = await Promise.all([counted(format, 2_000), counted(format, 200_000)]);
      expect(big).to.include({ total: 200_000, passed: 198_000, failed: 2_000 });
      expect(small).to.include({ total: 2_000, failed: 20 });
      expect(big.peakMb - small.peakMb, `${small.peakMb} MB and ${big.peakMb} MB`).to.be.below(MOST_MORE_MB);
    });
});

describe('a number of 8 MB in a JSON report', () => {
  it('is read in little memory', async () => {
    const script = `import { JsonWalk } from ${JSON.stringify(WALK)};
      const walk = new JsonWalk({ open() {}, close() {}, value: (path, value) => console.log(path.join(), value) });
      walk.write('{"score":0.');
      for (let pieces = 0; pieces < 128; pieces += 1) walk.write('9'.repeat(64 * 1024));
      walk.write('}');
      walk.end();`;
    const args = ['--max-old-space-size=64', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).to.equal('score 1\n');
  });
});
