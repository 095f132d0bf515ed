import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Installed, installTarball } from '../installed.js';

const FOLDER = new URL('../../../test/pinned/', import.meta.url);

/** One of the tarballs that are kept. */
export interface Packed {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

const { version, ...tarballs }: { readonly version: string } & Readonly<Record<'command' | 'action', Packed>> =
  JSON.parse(readFileSync(new URL('packed.json', FOLDER), 'utf8'));

/** The version that is kept. */
export const PINNED_VERSION = version;

/** Installs what is kept into a folder of its own. Throws where it is not the build that was packed. */
export const installPinned = async (what: 'command' | 'action'): Promise<Installed> => {
  const { file, bytes, sha256 } = tarballs[what];
  const path = fileURLToPath(new URL(file, FOLDER));
  const packed = readFileSync(path);
  if (createHash('sha256').update(packed).digest('hex') !== sha256)
    throw new Error(`${file} is not the build that was packed.`);
  return installTarball(path, { size: bytes, files: [] });
};
