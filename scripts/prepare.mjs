// Makes a checkout ready to run with nothing but Node: installs what is missing or stale, then builds what is stale.
// A fresh tree costs a fraction of a second. Usage: node scripts/prepare.mjs [tsc project ...]
// For packages/server alone it installs only what building and running the server takes, not what tests need.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFault } from './install-fault.mjs';
import { packagesNeeded } from './locked-packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LEAST_NODE = [20, 19];

const say = (line) => process.stderr.write(`${line}\n`);

const fail = (line) => {
  say(line);
  process.exit(1);
};

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

const projects = process.argv.slice(2);
/** The packages that the server is built from, itself included. */
const OF_SERVER = ['domain', 'client', 'adapters', 'test-reports', 'web', 'server'].map((name) => `packages/${name}`);
const workspaces = projects.length === 1 && projects[0] === 'packages/server' ? OF_SERVER : null;

/** Whether what is installed is what the lock file asks for: every package that is needed, with its version and integrity. */
const installedState = () => {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted) fail('package-lock.json is missing: this is not a complete checkout.');
  if (!found) return 'missing';
  const isInstalled = (path) => {
    const entry = wanted[path];
    const have = found[path];
    if (!have && (entry.optional || entry.devOptional || entry.peer)) return true;
    if (!have || have.version !== entry.version || have.integrity !== entry.integrity) return false;
    // A package of the workspace that was renamed has its link only after an install.
    return !entry.link || existsSync(join(root, path));
  };
  const needed = workspaces === null ? Object.keys(wanted) : packagesNeeded(wanted, workspaces);
  return needed.filter((path) => path.startsWith('node_modules/')).every(isInstalled) ? 'fresh' : 'stale';
};

const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (error) fail(`${command} could not be started: ${error.message}`);
  return status === 0;
};

const NPM_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs npm. If that fails, ends this program and says why in one line, after npm's own output. */
const npm = (...args) => {
  const script = process.env.npm_execpath;
  const [command, words, more] = script?.endsWith('.js')
    ? [process.execPath, [script, ...args], {}]
    : ['npm', args, { shell: process.platform === 'win32' }];
  const options = { cwd: root, stdio: ['ignore', 2, 'pipe'], encoding: 'utf8', maxBuffer: NPM_OUTPUT_BYTES, ...more };
  const { status, error, stderr } = spawnSync(command, words, options);
  if (error) fail(`${command} could not be started: ${error.message}`);
  process.stderr.write(stderr);
  if (status !== 0) fail(installFault(stderr, join(root, 'node_modules')));
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]))
  fail(
    `Shipworthy needs Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}. Install a later one from https://nodejs.org, or choose it in your version manager or image.`,
  );

const state = installedState();
const only = workspaces === null ? [] : workspaces.map((path) => `--workspace=${path}`);
if (state === 'missing') {
  say('Installing the dependencies (once; building sqlite3 takes about a minute where no binary fits) ...');
  npm('ci', '--no-audit', '--no-fund', ...only);
} else if (state === 'stale') {
  say('Bringing the dependencies up to date ...');
  npm('install', '--no-audit', '--no-fund', '--no-save', ...only);
}

/** The latest change below a path, in milliseconds since the epoch; 0 where nothing is. */
const changedAt = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
};

const WEB = 'packages/web/bundle.mjs';
const STANDS_ON = ['packages/client', 'packages/domain', 'packages/test-reports'];
const OF_WEB = ['packages/web/src', WEB, ...STANDS_ON.map((path) => `${path}/dist/src`)];

/** Bundles the web application when something that it is built from has changed since the last bundle. */
const bundleWeb = () => {
  const made = changedAt(join(root, 'packages/web/dist/bundle/index.html'));
  if (OF_WEB.every((path) => changedAt(join(root, path)) < made)) return;
  if (!run(process.execPath, [join(root, WEB)])) fail(`${WEB} failed; its message stands above.`);
};

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
// Also compiles the packages that the web application is built from: every build bundles it.
if (!run(process.execPath, [compiler, '-b', ...projects, ...(projects.length > 0 ? STANDS_ON : [])]))
  fail('The build failed; its message stands above.');
if (projects.length === 0 || projects.includes('packages/cli')) {
  // Loaded here: its dependencies may need a newer Node than the one refused above.
  const { bundleCli } = await import('./bundle-cli.mjs');
  await bundleCli();
}
bundleWeb();
