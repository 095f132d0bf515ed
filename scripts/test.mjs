// All checks and, in one run, all tests but the long ones. Arguments: --all for these as well, --grep TEXT, parts
// of file names to run only those files, --repeat N to run them N times, --slowest N to list the N files that took longest, and
// --here for the tests of the workspace it is called in, without the checks. SHIPWORTHY_TESTS=all runs all and fails where this
// machine cannot run some.
// The last line reads "N passed, N failed"; the exit code is 0 only when nothing failed and something ran.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { found, workspaceOf } from './tests/found.mjs';
import { runFiles } from './tests/run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    all: { type: 'boolean', default: false },
    grep: { type: 'string' },
    here: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    slowest: { type: 'string', default: '0' },
    reporter: { type: 'string', default: process.env.CI ? 'dot' : 'spec' },
  },
  allowPositionals: true,
});

const workspace = values.here ? relative(root, process.cwd()).split(sep).join('/') : undefined;

const CHECKS = [
  ['format and lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '.']],
  ['architecture', [join('scripts', 'check-architecture.mjs')]],
  ['licences of dependencies', [join('scripts', 'licences.mjs')]],
];
const checks = values.here ? [] : CHECKS;
const failedChecks = checks.filter(([name, args]) => {
  process.stdout.write(`check: ${name}\n`);
  return spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 1, 1] }).status !== 0;
});

const mustRunAll = process.env.SHIPWORTHY_TESTS === 'all';
const { files, leftOut } = found(root, positionals, workspace, { all: values.all || mustRunAll });
const unbuilt = values.here ? files.find((file) => !existsSync(file)) : undefined;
if (unbuilt !== undefined) {
  process.stderr.write(`${relative(root, unbuilt)} is missing: build first, with npm run build in ${root}.\n`);
  process.exit(1);
}
for (const line of leftOut) process.stdout.write(line);
if (leftOut.length > 0 && mustRunAll) process.exit(1);

/** How many files run at once; tests mostly wait for browsers, databases and other processes. */
const JOBS = 5;
/** Files that take longest are begun first, so that none of them is left alone at the end. */
const BEGUN_FIRST = [
  /knex\/(stores|copy)/,
  /test\/commands\//,
  /every-operation/,
  /bench\/dist/,
  /canary/,
  /laptop/,
  /browser/,
  /examples/,
];
const rank = (file) => {
  const place = BEGUN_FIRST.findIndex((name) => name.test(file));
  return place === -1 ? BEGUN_FIRST.length : place;
};

const runsAll = positionals.length === 0;
const inOrder = runsAll ? [...files].sort((one, other) => rank(one) - rank(other)) : files;
const results = await runFiles(inOrder, { ...values, jobs: runsAll ? JOBS : 1 });

for (let time = 2; time <= Number(values.repeat); time += 1) {
  process.stdout.write(`time ${time} of ${values.repeat}\n`);
  const again = await runFiles(files, { ...values, jobs: 1 });
  for (const file of files) {
    results[file].passed += again[file].passed;
    results[file].failed.push(...again[file].failed);
  }
}

const { endLeftOverServers } = await import('../packages/adapters/dist/test/postgres/embedded-postgres.js');
await endLeftOverServers();

const slowest = Object.entries(results).sort(([, one], [, other]) => other.milliseconds - one.milliseconds);
for (const [file, { milliseconds, passed }] of slowest.slice(0, Number(values.slowest)))
  process.stdout.write(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${passed} tests  ${relative(root, file)}\n`);

const perWorkspace = new Map();
for (const file of files) {
  const name = workspaceOf(root, file);
  perWorkspace.set(name, (perWorkspace.get(name) ?? 0) + results[file].passed);
}
for (const [name, count] of perWorkspace) process.stdout.write(`${name}: ${count} tests passed\n`);
for (const [name] of failedChecks) process.stdout.write(`check failed: ${name}\n`);
const sum = (of) => Object.values(results).reduce((total, result) => total + of(result), 0);
const tests = sum(({ passed }) => passed);
const failed = failedChecks.length + sum(({ failed: titles }) => titles.length);
process.stdout.write(`${tests + checks.length - failedChecks.length} passed, ${failed} failed\n`);
process.exit(failed === 0 && tests > 0 ? 0 : 1);
