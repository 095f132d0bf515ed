// Makes the reports in from-tools/ with the real tools: node packages/test-reports/test/make-reports.mjs
// The tools are installed at the versions below into a folder of the system's, by npm; pytest has to be there.
// What says where and on which machine they ran is taken out.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const VERSIONS = {
  mocha: '12.0.3',
  jest: '30.5.2',
  'jest-junit': '17.0.0',
  vitest: '4.1.12',
  '@playwright/test': '1.65.1',
};
const PYTEST = '9.0.3';
const NODE = process.versions.node;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'make-reports-')));
const tools = join(root, 'tools');

const inFolder = (sample) => {
  const folder = join(root, sample);
  cpSync(join(here, 'samples', sample), folder, { recursive: true });
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Tests fail in there: how the tool ends is of no interest, what it wrote is. */
const run = (folder, command, args, env = {}) =>
  spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, CI: 'true', NO_COLOR: '1', ...env },
    encoding: 'utf8',
  });

const bin = (name) => join(tools, 'node_modules', '.bin', name);

const scrubbed = (folder, text) =>
  text
    .replaceAll(folder, '/repo')
    .replaceAll(tools, '/repo')
    .replaceAll(root, '/repo')
    .replaceAll(dirname(dirname(process.execPath)), '/usr')
    .replaceAll(homedir(), '/home/user')
    .replaceAll(hostname(), 'host');

const keep = (folder, from, ...to) => {
  const path = join(here, 'from-tools', ...to);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, scrubbed(folder, readFileSync(join(folder, from), 'utf8')));
};

const mocha = () => {
  const folder = inFolder('mocha');
  for (const [reporter, file] of [
    ['xunit', 'xunit.xml'],
    ['json', 'report.json'],
    ['tap', 'report.tap'],
  ]) {
    const { stdout } = run(folder, bin('mocha'), ['--reporter', reporter, 'sample.mjs']);
    writeFileSync(join(folder, file), stdout);
    keep(folder, file, `mocha-${VERSIONS.mocha}`, file);
  }
};

const node = () => {
  const folder = inFolder('node');
  for (const [reporter, file] of [
    ['junit', 'report.xml'],
    ['tap', 'report.tap'],
  ]) {
    run(folder, process.execPath, [
      '--test',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${file}`,
      'sample.mjs',
      'broken.mjs',
    ]);
    keep(folder, file, `node-${NODE}`, file);
  }
};

const jest = () => {
  const folder = inFolder('jest');
  writeFileSync(join(folder, 'package.json'), '{"jest":{"testMatch":["**/*.test.cjs"]}}');
  const args = ['--json', '--outputFile=report.json', '--reporters=default', '--reporters=jest-junit'];
  run(folder, bin('jest'), args, { JEST_JUNIT_REPORT_TEST_SUITE_ERRORS: 'true' });
  keep(folder, 'report.json', `jest-${VERSIONS.jest}`, 'report.json');
  keep(folder, 'junit.xml', `jest-junit-${VERSIONS['jest-junit']}`, 'junit.xml');
};

const vitest = () => {
  const folder = inFolder('vitest');
  const outputs = ['--outputFile.json=report.json', '--outputFile.junit=junit.xml'];
  run(folder, bin('vitest'), ['run', '--reporter=json', '--reporter=junit', ...outputs]);
  for (const file of ['report.json', 'junit.xml']) keep(folder, file, `vitest-${VERSIONS.vitest}`, file);
};

const playwright = () => {
  const folder = inFolder('playwright');
  const room = `playwright-${VERSIONS['@playwright/test']}`;
  // A file that cannot be loaded keeps all others from running, too.
  for (const [spec, suffix] of [
    ['sample.spec.mjs', ''],
    ['broken.spec.mjs', '-not-loaded'],
  ]) {
    run(folder, bin('playwright'), ['test', spec]);
    for (const kind of ['json', 'xml']) keep(folder, `report.${kind}`, room, `report${suffix}.${kind}`);
  }
};

const pytest = () => {
  const folder = inFolder('pytest');
  const { stdout } = run(folder, 'python3', ['-m', 'pytest', '--version']);
  if (stdout.trim() !== `pytest ${PYTEST}`) throw new Error(`pytest ${PYTEST} is not installed`);
  run(folder, 'python3', [
    '-m',
    'pytest',
    '-p',
    'no:cacheprovider',
    '--continue-on-collection-errors',
    '--junit-xml=report.xml',
  ]);
  keep(folder, 'report.xml', `pytest-${PYTEST}`, 'report.xml');
};

try {
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{"private":true}');
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: tools,
    stdio: 'inherit',
  });
  for (const make of [mocha, node, jest, vitest, playwright, pytest]) make();
} finally {
  rmSync(root, { recursive: true, force: true });
}
