import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/** What a process came to. */
export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end. */
export const runProgram = (
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  program: string,
  ...args: readonly string[]
): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env: { ...env } }, (error, out, err) => {
      resolve({ exit: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out, err });
    });
  });

/** The package, packed and installed in a folder of its own where nothing else is and nothing can be fetched. */
export interface Installed {
  readonly folder: string;
  /** Bytes of the tarball, and what is in it. */
  readonly tarball: { readonly size: number; readonly files: readonly string[] };
  readonly npx: (env: Readonly<Record<string, string>>, ...args: readonly string[]) => Promise<Ended>;
  readonly remove: () => Promise<void>;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** What the packer said, below what the build before it may have said. */
const packedOf = (out: string): Packed => {
  const [packed] = JSON.parse(out.slice(out.search(/^\[/m))) as readonly Packed[];
  if (packed === undefined) throw new Error(`nothing was packed: ${out}`);
  return packed;
};

/** Nothing of this checkout, of its npm or of the user's settings reaches what runs in the folder. */
const bareIn = (root: string) => ({
  PATH: process.env.PATH,
  HOME: root,
  npm_config_cache: join(root, 'cache'),
  npm_config_update_notifier: 'false',
});

const npmIn = async (root: string, where: string, ...args: readonly string[]): Promise<string> => {
  const { exit, out, err } = await runProgram(where, bareIn(root), 'npm', ...args);
  if (exit !== 0) throw new Error(`npm ${args[0]} ended with ${exit}: ${out}${err}`);
  return out;
};

/** Packs and installs; throws with npm's own words when either fails. */
export const packAndInstall = async (): Promise<Installed> => {
  const root = await mkdtemp(join(tmpdir(), 'shipworthy-packed-'));
  try {
    const packed = packedOf(await npmIn(root, PACKAGE, 'pack', '--json', '--pack-destination', root));
    const tarball = { size: packed.size, files: packed.files.map(({ path }) => path) };
    return await installTarball(join(root, packed.filename), tarball);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

/** Installs a tarball; throws with npm's own words when that fails. */
export const installTarball = async (path: string, tarball: Installed['tarball']): Promise<Installed> => {
  const root = await mkdtemp(join(tmpdir(), 'shipworthy-installed-'));
  const folder = join(root, 'empty');
  await mkdir(folder);
  const bare = bareIn(root);
  await npmIn(root, folder, 'install', '--offline', '--no-audit', '--no-fund', path);
  return {
    folder,
    tarball,
    npx: (env, ...args) => runProgram(folder, { ...bare, ...env }, 'npx', '--offline', '@shipworthy/cli', ...args),
    remove: () => rm(root, { recursive: true, force: true }),
  };
};
