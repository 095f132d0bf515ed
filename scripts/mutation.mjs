// Changes the compiled source in every way Stryker knows, one change at a time, and counts those that no test notices.
// Prints them with the score per area; exit 1 when one is below the aim.
// Usage, after a build: node scripts/mutation.mjs [--concurrency N] [--source PART] [--source PART] [area ...]
// PART, such as domain/src/readiness/axes/, limits the run to sources whose path begins so, or as another PART says.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { AREAS } from './mutation/areas.mjs';
import { rememberTexts } from './mutation/reporter.mjs';
import { copyTree } from './mutation/tree.mjs';

/** The least share of mutants that tests must notice, in per cent. */
const AIM = 90;
/** A process with this many mutants behind it is replaced: test files that were evaluated anew stay in its memory. */
const MOST_MUTANTS_PER_PROCESS = 400;
const NOTICED = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '2' }, source: { type: 'string', multiple: true, default: [''] } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  process.stderr.write(`There is no area ${unknown.join(', ')}; there are ${Object.keys(AREAS).join(', ')}.\n`);
  process.exit(2);
}
const wanted = Object.entries(AREAS).filter(([name]) => positionals.length === 0 || positionals.includes(name));

const tree = copyTree();
process.on('exit', tree.remove);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.chdir(tree.folder);

/** The paths that begin with one of the parts, in the order of the parts. Throws where no path begins with a part. */
const beginning = (paths, parts) => {
  const found = parts.flatMap((part) => {
    const begin = join('packages', part.replace(/\/(src|test)\//, '/dist/$1/'));
    const some = paths.filter((path) => path.startsWith(begin));
    if (some.length === 0) throw new Error(`Nothing below packages begins with ${part}.`);
    return some;
  });
  return [...new Set(found)];
};

/** The tests of an area, property tests last: tests by example notice most mutants sooner. */
const testsOf = ({ tests, without = [] }) => {
  const left = beginning(tree.tests, without);
  const isTest = (path) => path.endsWith('.test.js') && !left.includes(path);
  const isProperty = (path) => path.includes('.property.');
  const found = beginning(tree.tests, tests).filter(isTest);
  return [...found.filter((path) => !isProperty(path)), ...found.filter(isProperty)];
};

/** The modules in the tests' folders that tests import besides the source: samples and scenes. */
const modulesBeside = (tests) => {
  const rooms = new Set(tests.map(dirname));
  return tree.tests.filter((path) => !path.endsWith('.test.js') && rooms.has(dirname(path)));
};

const plugin = (name) => fileURLToPath(new URL(`./mutation/${name}.mjs`, import.meta.url));

const mutate = (area) => {
  const only = beginning(tree.sources, values.source);
  const sources = beginning(tree.sources, area.sources).filter((path) => only.includes(path));
  const tests = testsOf(area);
  rememberTexts(sources);
  const stryker = new Stryker({
    inPlace: true,
    mutate: sources,
    ignorePatterns: ['**', '!packages/*/dist/src/**/*.js'],
    plugins: [plugin('mocha-runner'), plugin('reporter')],
    testRunner: 'house',
    houseTests: tests,
    houseModules: [...sources, ...modulesBeside(tests)],
    houseKeepers: beginning(tree.sources, area.keeping ?? []),
    maxTestRunnerReuse: MOST_MUTANTS_PER_PROCESS,
    coverageAnalysis: 'perTest',
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    reporters: ['house'],
    warnings: false,
    allowConsoleColors: false,
    logLevel: 'warn',
    concurrency: Number(values.concurrency),
    // Long: a slow test on a busy machine must not count as a mutant that never ends. Loops are found by counting.
    timeoutMS: 15_000,
    timeoutFactor: 3,
  });
  return stryker.runMutationTest();
};

const lines = [];
let below = 0;
for (const [name, area] of wanted) {
  process.stdout.write(`area: ${name}\n`);
  const begin = performance.now();
  const results = await mutate(area);
  const count = (statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count(NOTICED);
  const all = noticed + count(MISSED);
  const score = (100 * noticed) / all;
  if (!(score >= AIM)) below += 1;
  const seconds = Math.round((performance.now() - begin) / 1000);
  const line =
    `${name}: ${score.toFixed(2)} % (aim ${AIM} %) of ${all} mutants: killed ${count(['Killed'])}, ` +
    `timeouts ${count(['Timeout'])}, survived ${count(['Survived'])}, reached by no test ${count(['NoCoverage'])}; ${seconds} s`;
  process.stdout.write(`${line}\n`);
  lines.push(line);
}
process.stdout.write(`\n${lines.join('\n')}\n`);
process.chdir(dirname(tree.folder));
process.exit(below === 0 ? 0 : 1);
