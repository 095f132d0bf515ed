import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startServer } from '@shipworthy/example-own-pipeline/server-process';
import { expect } from 'chai';
import { documents, root } from './documents.js';
import { runBlock } from './shell.js';
import { type Packed, packAll, readManifest, run } from './tarballs.js';
import { COMMIT, storeVerdict } from './verdict-commands.js';

const COMPILER = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
/** The older compilers have a lock file of their own, and are installed when they are first asked for. */
const OLDER_HOME = join(root, 'examples', 'how-to', 'older-compilers');
const OLDER = ['typescript-5.4', 'typescript-5.9', 'typescript-6.0'];

/** What every project in TypeScript installs for itself. */
const TOOLS = ['typescript', '@types/node'];

/** What a project that has tests installs as well. */
const TEST_TOOLS = ['chai', 'mocha', 'fast-check', '@types/chai', '@types/mocha'];

let packed: Packed;

/** Lends a folder a package of others from this checkout, as npm would fetch it from the registry. */
const lend = async (name: string, folder: string): Promise<void> => {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return;
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(root, 'node_modules', name), place);
};

/** A folder outside of the checkout with these packages, what they declare to need, and nothing else. */
const stranger = async (names: readonly string[], others: readonly string[] = []): Promise<string> => {
  const folder = await mkdtemp(join(packed.work, 'stranger-'));
  const install = async (name: string): Promise<void> => {
    const { dependencies = {} } = await readManifest(await packed.unpack(name, folder));
    for (const needed of Object.keys(dependencies)) {
      const own = needed.startsWith('@shipworthy/') ? needed.slice('@shipworthy/'.length) : null;
      if (own === null) await lend(needed, folder);
      else if (!existsSync(join(folder, 'node_modules', needed))) await install(own);
    }
  };
  for (const name of names) await install(name);
  for (const name of others) await lend(name, folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  return folder;
};

/** What packages need beside our own ones: their names, and the names of what these need in turn. */
const neededBy = async (homes: readonly string[]): Promise<ReadonlySet<string>> => {
  const names = new Set<string>();
  for (const home of homes)
    for (const name of Object.keys((await readManifest(home)).dependencies ?? {})) {
      if (name.startsWith('@shipworthy/') || names.has(name)) continue;
      names.add(name);
      for (const further of await neededBy([join(root, 'node_modules', name)])) names.add(further);
    }
  return names;
};

/** Packs a package of others from this checkout; answers the tarball's path. */
const packOther = async (name: string): Promise<string> => {
  const options = ['--ignore-scripts', '--json', '--pack-destination', packed.work];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: join(root, 'node_modules', name) });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(packed.work, filename);
};

/** A folder outside of the checkout into which npm itself installs these packages, with an empty cache and no registry. */
const installedByNpm = async (names: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(packed.work, 'installed-'));
  const homes = await Promise.all(names.map((name) => packed.unpack(name, join(packed.work, 'lint'))));
  const files = new Map(names.map((name) => [`@shipworthy/${name}`, packed.tarballs.get(name) ?? '']));
  for (const name of await neededBy(homes)) files.set(name, await packOther(name));
  const dependencies = Object.fromEntries([...files].map(([name, file]) => [name, `file:${file}`]));
  const overrides = Object.fromEntries([...files.keys()].map((name) => [name, `$${name}`]));
  const manifest = { type: 'module', private: true, dependencies, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') };
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: folder, env });
  return folder;
};

const node = async (folder: string, ...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } })).stdout;

interface CompileOptions {
  readonly types?: readonly string[];
  readonly lib?: readonly string[];
  /** The compiler's program. */
  readonly compiler?: string;
}

/** Compiles what is in `src` with every declaration checked, those of the packages too. */
const compile = async (
  folder: string,
  { types = ['node'], lib = ['es2023'], compiler = COMPILER }: CompileOptions = {},
): Promise<void> => {
  const settings = { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: false, lib, types };
  const compilerOptions = { ...settings, rootDir: 'src', outDir: 'dist' };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { readonly stdout: string }) => {
    throw new Error(stdout);
  });
};

/** Compiles an example and what tests it in a stranger's folder, and runs the tests there. */
const proveExample = async (example: string, folder: string, tests: readonly string[] = []): Promise<void> => {
  for (const part of ['src', 'test'])
    await cp(join(root, 'examples', example, part), join(folder, 'src', part), { recursive: true });
  await compile(folder, { types: ['node', 'mocha'] });
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const words = ['--reporter', 'json', '--timeout', '300000', '--exit', '--recursive', 'dist/test', ...tests];
  const { stats, failures } = JSON.parse(await node(folder, mocha, ...words)) as {
    readonly stats: { readonly passes: number };
    readonly failures: readonly unknown[];
  };
  expect(failures).to.deep.equal([]);
  expect(stats.passes).to.be.greaterThan(0);
};

describe('the packages that are published, in the hands of a stranger', () => {
  before(async () => {
    packed = await packAll();
  });
  after(() => packed.remove());

  it('let them embed the engine', async () => {
    const folder = await stranger(['domain'], [...TOOLS, ...TEST_TOOLS]);
    await proveExample('embed-engine', folder);
  });

  it('let them verify a verdict as the how-to says', async () => {
    const folder = await stranger(['client', 'domain'], TOOLS);
    const example = join('examples', 'verify-verdict');
    await cp(join(root, example, 'src'), join(folder, example, 'src', 'src'), { recursive: true });
    await compile(join(folder, example));
    const server = await startServer(await mkdtemp(join(packed.work, 'server-')), 'a token of this test');
    const verify = await storeVerdict(server, folder).finally(() => server.stop());
    const said = await runBlock(verify, folder, { CHECKOUT: folder, CI_COMMIT: COMMIT });
    expect(said).to.contain(`about: gitCommit ${COMMIT}\n`);
  });

  for (const name of [...OLDER, 'typescript'])
    it(`let them call the service with ${name}`, async () => {
      const home = name === 'typescript' ? root : OLDER_HOME;
      const compiler = join(home, 'node_modules', name, 'bin', 'tsc');
      if (!existsSync(compiler))
        await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: OLDER_HOME });
      const folder = await stranger(['client'], TOOLS);
      await mkdir(join(folder, 'src'));
      await writeFile(
        join(folder, 'src', 'main.ts'),
        `import { createClient } from '@shipworthy/client';
         import { operations, type BodyOf } from '@shipworthy/client/contract';
         import { verifyVerdict } from '@shipworthy/client/verify';
         const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
         export const status: 'started' | 'success' | 'failure' = ({} as BodyOf<typeof operations.recordDeployment>).status;
         export const names = async (): Promise<string[]> => (await client.listTeams()).body.data.map(({ name }) => name);
         // @ts-expect-error A misspelt field is found.
         export const wrong = async () => (await client.listTeams()).body.data.map(({ nane }) => nane);
         export { verifyVerdict };`,
      );
      await compile(folder, { types: [], lib: ['es2023', 'dom'], compiler });
    });

  it('let them embed the server in Koa, Express and Fastify', async () => {
    const frameworks = ['express', '@types/express', 'fastify', 'koa', 'koa-mount', '@types/koa-mount'];
    const folder = await stranger(['client', 'server'], [...TOOLS, ...TEST_TOOLS, ...frameworks]);
    await proveExample('embed-server', folder);
  });

  it('let them write a store and prove it by the suites', async () => {
    const folder = await stranger(['adapters', 'client', 'server'], [...TOOLS, ...TEST_TOOLS]);
    // The workspace runs all of them.
    await proveExample('custom-store', folder, ['--grep', 'transactions|releases|deployments']);
  });

  it('are installed by npm, and bring no database driver and no Octokit', async () => {
    const folder = await installedByNpm(['adapters', 'cli', 'client', 'domain']);
    const there = await readdir(join(folder, 'node_modules'));
    expect(there).to.include.members(['@shipworthy', 'oauth4webapi']);
    for (const absent of ['octokit', 'knex', 'pg', 'sqlite3']) expect(there).to.not.include(absent);
    await writeFile(
      join(folder, 'main.js'),
      `import { memoryStores } from '@shipworthy/adapters/memory';
       import { hostUnavailable } from '@shipworthy/adapters/host-http';
       import '@shipworthy/adapters/crypto';
       console.log(typeof memoryStores().releases, hostUnavailable('unreachable', 'gone').code);`,
    );
    expect(await node(folder, 'main.js')).to.equal('object host-unavailable\n');
    const command = join(folder, 'node_modules', '.bin', 'shipworthy');
    const { stdout } = await run(command, ['--version'], { cwd: folder, env: { PATH: process.env.PATH } });
    expect(stdout.trim()).to.equal(
      (await readManifest(join(packed.work, 'lint/node_modules/@shipworthy/cli'))).version,
    );
  });

  it('keep a SQLite file without PostgreSQL and Octokit, and say what PostgreSQL needs', async () => {
    const folder = await stranger(['adapters'], ['knex', 'sqlite3']);
    await writeFile(
      join(folder, 'main.js'),
      `import { knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
       const database = await openDatabase({ url: 'sqlite:all.sqlite' });
       await migrate(database);
       console.log(await knexStores(database).users.any());
       await database.close();
       await openDatabase({ url: 'postgres://127.0.0.1:1/none' }).catch(({ message }) => console.log(message));`,
    );
    expect(await node(folder, 'main.js')).to.equal('false\nPostgreSQL needs the package pg, which is not installed.\n');
  });

  it('are what every program quoted by a how-to of embedding is proved with', () => {
    const quoted = documents
      .filter(({ path }) => path.startsWith('docs/how-to/'))
      .flatMap(({ blocks }) => blocks.map(({ about }) => /^examples\/([^/]+)\/src\//.exec(about)?.[1]))
      .filter((name) => name !== undefined);
    expect([...new Set(quoted)].sort()).to.deep.equal([
      'custom-store',
      'embed-engine',
      'embed-server',
      'verify-verdict',
    ]);
  });
});
