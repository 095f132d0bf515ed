// All checks and all tests in one run. Arguments: --grep TEXT, and parts of file names to run only those files.
// The last line reads "N passed, N failed"; the exit code is 0 only when nothing failed and something ran.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    grep: { type: 'string' },
    reporter: { type: 'string', default: process.env.CI ? 'dot' : 'spec' },
    // Set by this program for its further processes.
    lane: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});

const CHECKS = [
  ['format and lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '.']],
  ['rules of the house', [join('scripts', 'check-house.mjs')]],
  ['licences of dependencies', [join('scripts', 'licences.mjs')]],
];

const lane = Number(values.lane);
const checks = lane > 0 ? [] : CHECKS;
const failedChecks = checks.filter(([name, args]) => {
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

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLOORS = ['packages', 'examples', 'integrations'].flatMap((room) =>
  readdirSync(join(root, room))
    .map((name) => join(room, name))
    .filter((floor) => existsSync(join(root, floor, 'test'))),
);

const isHere = (...paths) => paths.some((path) => existsSync(path));
const onPath = (tool) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));

/** Tests that need more of a machine than Node and git, by the ends of their names, and what is said where it is missing. */
const DEMANDS = [
  {
    end: '.browser.test.js',
    met: isHere(...[process.env.CHROMIUM_PATH ?? BROWSERS].flat()),
    missing: 'no Chromium was found (CHROMIUM_PATH names one)',
  },
  {
    end: '.laptop.test.js',
    met: ['openssl', 'ssh', 'ssh-agent'].every(onPath) && isHere('/usr/sbin/sshd'),
    missing: 'openssl, ssh, ssh-agent and /usr/sbin/sshd are not all here',
  },
  {
    end: '.compiler.test.js',
    met: process.platform === 'linux' && onPath('cc'),
    missing: 'they slow a disk down by a library for Linux that cc would have to compile',
  },
];

const wanted = FLOORS.flatMap(testsOf).filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
);
const unmet = DEMANDS.filter(({ end, met }) => !met && wanted.some((file) => file.endsWith(end)));
const possible = wanted.filter((file) => !unmet.some(({ end }) => file.endsWith(end)));
for (const { end, missing } of unmet) process.stdout.write(`left out: tests named *${end}, for ${missing}\n`);
if (unmet.length > 0 && process.env.SHIPWORTHY_TESTS === 'all') process.exit(1);

/** Tests mostly wait, for browsers, databases and other processes: all at once they run in this many processes, beside each other. */
const LANES = [
  ['packages/adapters', 'packages/domain', 'packages/client'],
  ['packages/server'],
  ['packages/web'],
  ['packages/cli', 'integrations'],
  ['packages/bench', 'examples'],
];
const laneOf = (file) =>
  Math.max(
    0,
    LANES.findIndex((floors) => floors.some((floor) => file.startsWith(join(root, floor) + sep))),
  );
const runsAll = positionals.length === 0;
const files = runsAll ? possible.filter((file) => laneOf(file) === lane) : possible;

/** Runs another lane; answers what it printed and how many passed and failed. */
const runLane = async (number) => {
  const words = [
    '--lane',
    String(number),
    '--reporter',
    values.reporter,
    ...(values.grep ? ['--grep', values.grep] : []),
  ];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...words], { stdio: ['ignore', 'pipe', 2] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const [closing, passed, failed] = /(\d+) passed, (\d+) failed\n$/.exec(text) ?? ['', '0', '1'];
  return { text: text.slice(0, text.length - closing.length), passed: Number(passed), failed: Number(failed) };
};
const besides = runsAll && lane === 0 ? LANES.slice(1).map((_, index) => runLane(index + 1)) : [];

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

const others = await Promise.all(besides);
for (const { text } of others) process.stdout.write(text);
for (const [floor, count] of perFloor) process.stdout.write(`${floor}: ${count} tests passed\n`);
for (const [name] of failedChecks) process.stdout.write(`check failed: ${name}\n`);
const sum = (of) => others.reduce((total, other) => total + other[of], 0);
const passed = stats.passes + checks.length - failedChecks.length + sum('passed');
const failed = stats.failures + failedChecks.length + sum('failed');
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > checks.length ? 0 : 1);
