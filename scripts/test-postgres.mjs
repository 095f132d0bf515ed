// Runs the tests that need PostgreSQL on every version of it that is installed in /usr/lib/postgresql, as Debian and Ubuntu
// do, one after the other, each on an empty server that is removed afterwards. Arguments: folders with other versions'
// `initdb` and `postgres` in them, and parts of names of test files, to run those only; --pooler runs them through a PgBouncer with
// five connections to each database; --citus runs the suites of the ports on the cluster whose coordinator TEST_DATABASE_URL names, each
// database distributed over it.
// The last line reads "N passed, N failed"; the exit code is 0 only when nothing failed and something ran.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { found } from './tests/found.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const DEBIAN = '/usr/lib/postgresql';
const isServer = (folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));

const throughPooler = process.argv.includes('--pooler');
const onCitus = process.argv.includes('--citus');
const args = process.argv.slice(2).filter((word) => word !== '--pooler' && word !== '--citus');
const given = args.filter(isServer).map((folder) => resolve(folder));
const parts = args.filter((word) => !isServer(word));
const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
const versions = given.length > 0 ? given : installed.filter(isServer);

const fail = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};
const coordinator = process.env.TEST_DATABASE_URL ?? '';
if (onCitus && coordinator === '')
  fail(
    'Set TEST_DATABASE_URL to the coordinator of a cluster of Citus; deploy/citus/cluster.sh starts one on this machine.',
  );
if (!onCitus && versions.length === 0)
  fail(
    `No PostgreSQL is in ${DEBIAN}. Install the versions to test, or name folders with initdb and postgres in them.`,
  );

/** PostgreSQL refuses to run as root; root starts it as the user `postgres`, which its package made. */
const numberOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
const owner = userInfo().uid === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : {};
if (!onCitus && owner.uid === 0) fail('As root this needs a user named postgres, as whom the servers run.');

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** Whether a test opens a database of its own on the server of TEST_DATABASE_URL, by what it and its imports say. */
const usesPostgres = (file, seen = new Set()) => {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (text.includes('testDatabase')) return true;
  return [...text.matchAll(/from '(\.[^']+)'/g)].some(([, path]) => usesPostgres(join(dirname(file), path), seen));
};

/** Starts an empty server of that version; it answers when it is ready. */
const start = async (bin) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipworthy-postgresql-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'shipworthy', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    {
      ...owner,
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) fail(made.stderr ?? String(made.error));
  const port = await freePort();
  const options = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200, fsync: 'off' };
  const flags = Object.entries({ ...options, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  const ready = new Promise((done) => {
    server.stderr.on('data', (text) => String(text).includes('ready to accept connections') && done(true));
  });
  const stop = async () => {
    // Ends its connections and stops.
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  if ((await Promise.race([ready, ended])) === true)
    return { url: `postgres://shipworthy@127.0.0.1:${port}/postgres`, stop };
  await stop();
  return fail(`${bin}/postgres did not start.`);
};

/** Runs the tests on that server; returns the exit code and the counts of the last line. */
const runOn = async (url, names) => {
  const tests = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), ...names, '--reporter', 'dot'], {
    cwd: root,
    env: {
      ...process.env,
      TEST_DATABASE_URL: url,
      ...(throughPooler ? { TEST_DATABASE_POOL_SIZE: '5' } : {}),
      ...(onCitus ? { TEST_DATABASE_CITUS: 'yes' } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let tail = '';
  tests.stdout.on('data', (text) => {
    process.stdout.write(text);
    tail = (tail + text).slice(-200);
  });
  const [code] = await once(tests, 'close');
  const [, passed = 0, failed = 1] = /(\d+) passed, (\d+) failed\s*$/.exec(tail) ?? [];
  return { code, passed: Number(passed), failed: Number(failed) };
};

if (onCitus) {
  const { passed, failed } = await runOn(coordinator, ['knex/stores.test', '--grep', 'PostgreSQL fulfils']);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

const names = found(root, parts, undefined, { all: true, withPartitions: true })
  .files.filter((file) => usesPostgres(file))
  .map((file) => relative(root, file));
if (names.length === 0) fail('No test that needs PostgreSQL has such a name. Build first, with npm run build.');

const lines = [];
let [passed, failed] = [0, 0];
for (const bin of versions) {
  const version = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim();
  process.stdout.write(`${version}: ${names.length} files\n`);
  const server = await start(bin);
  const result = await runOn(server.url, names).finally(server.stop);
  passed += result.passed;
  failed += result.failed + (result.code !== 0 && result.failed === 0 ? 1 : 0);
  lines.push(`${version}: ${result.passed} passed, ${result.failed} failed\n`);
}
for (const line of lines) process.stdout.write(line);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
