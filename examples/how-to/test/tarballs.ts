import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './documents.js';

export const run = promisify(execFile);

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly sideEffects?: boolean;
  readonly publishConfig?: object;
}

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The tarballs of the packages that are published. */
export interface Packed {
  /** A folder for what is made of them. */
  readonly work: string;
  /** The names of the packages, without their scope, each with the path of its tarball. */
  readonly tarballs: ReadonlyMap<string, string>;
  /** Unpacks a tarball to where npm would install it in that folder; answers where. */
  readonly unpack: (name: string, folder: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Packs all packages into a folder outside of the checkout. */
export const packAll = async (): Promise<Packed> => {
  const work = await mkdtemp(join(tmpdir(), 'shipworthy-published-'));
  const packed = join(work, 'packed');
  await run(process.execPath, [join(root, 'scripts', 'pack.mjs'), packed]);
  const tarballs = new Map<string, string>();
  for (const file of await readdir(packed))
    tarballs.set(file.replace(/^shipworthy-|-\d+\.\d+\.\d+.*$/g, ''), join(packed, file));
  return {
    work,
    tarballs,
    unpack: async (name, folder) => {
      const home = join(folder, 'node_modules', '@shipworthy', name);
      await mkdir(home, { recursive: true });
      await run('tar', ['-xzf', tarballs.get(name) ?? '', '-C', home, '--strip-components=1']);
      return home;
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
};
