// All checks and all tests in one run. Arguments: --grep TEXT, and parts of file names to run only those files.
// The last line reads "N passed, N failed"; the exit code is 0 only when nothing failed and something ran.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { grep: { type: 'string' }, reporter: { type: 'string', default: process.env.CI ? 'dot' : 'spec' } },
  allowPositionals: true,
});

const CHECKS = [
  ['format and lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '.']],
  ['rules of the house', [join('scripts', 'check-house.mjs')]],
];

const failedChecks = CHECKS.filter(([name, args]) => {
  process.stdout.write(`check: ${name}\n`);
  return spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 1, 1] }).status !== 0;
});

/** The compiled form of every test below a floor's source: what a deleted test left behind in dist is not run. */
const testsOf = (floor) =>
  readdirSync(join(root, floor, 'test'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(join(root, floor), join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => join(root, floor, 'dist', path.replace(/\.ts$/, '.js')))
    .sort();

const FLOORS = ['packages', 'examples', 'integrations'].flatMap((room) =>
  readdirSync(join(root, room))
    .map((name) => join(room, name))
    .filter((floor) => existsSync(join(root, floor, 'test'))),
);

const files = FLOORS.flatMap(testsOf).filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
);

const mocha = new Mocha({
  reporter: values.reporter,
  timeout: 20_000,
  forbidOnly: true,
  forbidPending: true,
  ...(values.grep ? { grep: values.grep } : {}),
});
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

const perFloor = new Map();
const stats = await new Promise((resolve) => {
  const runner = mocha.run(() => resolve(runner.stats));
  runner.on('pass', ({ file }) => {
    const floor = relative(root, file ?? root)
      .split(sep)
      .slice(0, 2)
      .join('/');
    perFloor.set(floor, (perFloor.get(floor) ?? 0) + 1);
  });
});

for (const [floor, count] of perFloor) process.stdout.write(`${floor}: ${count} tests passed\n`);
for (const [name] of failedChecks) process.stdout.write(`check failed: ${name}\n`);
const passed = stats.passes + CHECKS.length - failedChecks.length;
const failed = stats.failures + failedChecks.length;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && stats.passes > 0 ? 0 : 1);
