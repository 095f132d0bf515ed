import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, relative, sep } from 'node:path';

/** The compiled tests of a workspace, listed by their sources: what a deleted test left behind in dist is not run. */
const testsOf = (root, workspace) =>
  readdirSync(join(root, workspace, 'test'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(join(root, workspace), join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => join(root, workspace, 'dist', path.replace(/\.ts$/, '.js')))
    .sort();

const workspacesOf = (root) =>
  ['packages', 'examples', 'integrations'].flatMap((room) =>
    readdirSync(join(root, room))
      .map((name) => join(room, name))
      .filter((workspace) => existsSync(join(root, workspace, 'test'))),
  );

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) =>
  join('/usr/bin', name),
);
const isHere = (...paths) => paths.some((path) => existsSync(path));
const onPath = (tool) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));

/** Tests that need more than Node and git, by the end of their names, and what is said where that is missing. */
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
  {
    end: '.pooler.test.js',
    met: isHere('/usr/sbin/pgbouncer'),
    missing: 'PgBouncer is not at /usr/sbin/pgbouncer',
  },
  {
    end: '.mounts.test.js',
    met: onPath('unshare') && spawnSync('unshare', ['--mount', 'true']).status === 0,
    missing: 'they fill a small disk, which this user may not mount',
  },
];

/** Whether a test is a small run of a benchmark or a fault programme: it proves that this runs, and takes minutes. */
const isBenchRun = (file) =>
  file.includes(join('packages', 'bench', 'dist', 'test', 'rows')) || file.includes('.programme.');

/**
 * Tests that start browsers, or a server or a command as a process of its own for nearly every test: most of the
 * processor time of all.
 */
const SLOW = [
  ...DEMANDS.map(({ end }) => end),
  '.process.test.js',
  join('test', 'canary'),
  join('packages', 'bench', 'dist'),
  join('packages', 'server', 'dist', 'test', 'commands'),
  `examples${sep}`,
  `integrations${sep}`,
];
/** Tests below `examples` that every run includes: what the documents say of the code, and what is published. */
const SHORT = ['documents', 'architecture', 'security', 'published-packages'].map((name) =>
  join('how-to', 'dist', 'test', `${name}.test.js`),
);
const isSlow = (root, file) =>
  SLOW.some((part) => relative(root, file).includes(part)) && !SHORT.some((end) => file.endsWith(end));

/** Repeats suites that PostgreSQL passes already, on a PostgreSQL whose tables are in partitions. */
const PARTITIONED_STORES = join('packages', 'adapters', 'dist', 'test', 'knex', 'partitions', 'stores.test.js');

/**
 * Finds the test files whose paths hold one of the parts. Without parts: all of one workspace (`workspace`, such as
 * `packages/domain`), or the short ones of all workspaces. `all` adds the long ones, `withPartitions` the suites on
 * partitions; runs of benchmarks are found by name only. Also returns a line about the long ones that are left out, and
 * about each kind that this machine cannot run.
 */
export const found = (root, parts, workspace, { all = false, withPartitions = false } = {}) => {
  const isForAll = (file) => !isBenchRun(file) && (withPartitions || !file.endsWith(PARTITIONED_STORES));
  const every = workspacesOf(root)
    .filter((name) => workspace === undefined || name === join(workspace))
    .flatMap((name) => testsOf(root, name))
    .filter((file) =>
      parts.length === 0 ? isForAll(file) : parts.some((part) => relative(root, file).includes(part)),
    );
  const isShort = parts.length === 0 && workspace === undefined && !all;
  const wanted = isShort ? every.filter((file) => !isSlow(root, file)) : every;
  const long = every.length - wanted.length;
  const unmet = DEMANDS.filter(({ end, met }) => !met && wanted.some((file) => file.endsWith(end)));
  return {
    files: wanted.filter((file) => !unmet.some(({ end }) => file.endsWith(end))),
    leftOut: [
      ...(long === 0 ? [] : [`left out: ${long} files of tests that take long; npm run test:all runs them\n`]),
      ...unmet.map(({ end, missing }) => `left out: tests named *${end}, for ${missing}\n`),
    ],
  };
};

/** The workspace of a file, such as `packages/domain`. */
export const workspaceOf = (root, file) => relative(root, file).split(sep).slice(0, 2).join('/');
